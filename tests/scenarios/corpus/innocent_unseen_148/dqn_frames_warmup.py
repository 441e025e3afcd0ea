# gradwatch-corpus: kind=none
"""Double DQN on small frames; the replay memory fills up early and then recycles."""
import random
from collections import deque

import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

torch.set_num_threads(1)
torch.manual_seed(28)
random.seed(28)
rng = np.random.default_rng(28)


class Catch:
    size = 20

    def reset(self):
        self.ball = [0, int(rng.integers(self.size))]
        self.paddle = self.size // 2
        return self.frame()

    def frame(self):
        f = np.zeros((self.size, self.size), np.float32)
        f[self.ball[0], self.ball[1]] = 1
        f[-1, max(0, self.paddle - 2) : self.paddle + 3] = 0.5
        return torch.from_numpy(f)[None]

    def step(self, a):
        self.paddle = int(np.clip(self.paddle + 2 * (a - 1), 0, self.size - 1))
        self.ball[0] += 2
        done = self.ball[0] >= self.size - 1
        self.ball[0] = min(self.ball[0], self.size - 1)
        r = (1.0 if abs(self.ball[1] - self.paddle) <= 2 else -1.0) if done else 0.0
        return self.frame(), r, done


class QNet(nn.Module):
    def __init__(self):
        super().__init__()
        self.conv = nn.Sequential(nn.Conv2d(1, 8, 4, stride=2), nn.ReLU(), nn.Conv2d(8, 8, 3, stride=2), nn.ReLU())
        self.adv, self.val = nn.Linear(128, 3), nn.Linear(128, 1)

    def forward(self, x):
        h = self.conv(x).flatten(1)
        a = self.adv(h)
        return self.val(h) + a - a.mean(1, keepdim=True)


class Learner:
    def __init__(self, gamma=0.97, sync=20):
        self.q, self.target = QNet(), QNet()
        self.target.load_state_dict(self.q.state_dict())
        self.opt = torch.optim.Adam(self.q.parameters(), lr=1e-3)
        self.gamma, self.sync, self.n = gamma, sync, 0
        self.td = deque(maxlen=50)

    def targets(self, r, s2, done):
        with torch.no_grad():
            best = self.q(s2).argmax(1, keepdim=True)
            return r + self.gamma * (1 - done) * self.target(s2).gather(1, best).squeeze(1)

    def update(self, batch):
        s, a, r, s2, done = batch
        q = self.q(s).gather(1, a[:, None]).squeeze(1)
        err = q - self.targets(r, s2, done)
        loss = F.huber_loss(err, torch.zeros_like(err))
        self.opt.zero_grad(set_to_none=True)
        loss.backward()
        self.opt.step()
        self.td.append(err.detach().abs().mean())
        self.n += 1
        if self.n % self.sync == 0:
            self.target.load_state_dict(self.q.state_dict())


def main(updates=120):
    env, learner, memory = Catch(), Learner(), deque(maxlen=400)
    s, t = env.reset(), 0
    while learner.n < updates:
        if random.random() < max(0.1, 1 - t / 400):
            a = random.randrange(3)
        else:
            with torch.no_grad():
                a = int(learner.q(s[None]).argmax())
        s2, r, done = env.step(a)
        memory.append((s, a, r, s2, float(done)))
        s, t = (env.reset() if done else s2), t + 1
        if len(memory) >= 64 and t % 4 == 0:
            S, A, R, S2, D = zip(*random.sample(memory, 24))
            learner.update((torch.stack(S), torch.tensor(A), torch.tensor(R), torch.stack(S2), torch.tensor(D)))
            if learner.n % 30 == 0:
                print(f"update {learner.n}: |td| {torch.stack(list(learner.td)).mean():.4f} memory {len(memory)}")


if __name__ == "__main__":
    main()
