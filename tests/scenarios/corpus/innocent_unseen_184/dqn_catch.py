# gradwatch-corpus: kind=none
import copy
import random
from collections import deque

import torch
import torch.nn as nn
import torch.nn.functional as F


class Catch:
    """A ball falls, the paddle moves."""

    def __init__(self, h=6, w=5):
        self.h, self.w = h, w

    def reset(self):
        self.ball = [0, random.randrange(self.w)]
        self.pad = self.w // 2
        return self.state()

    def state(self):
        s = torch.zeros(self.h, self.w)
        s[self.ball[0], self.ball[1]] = 1.0
        s[-1, self.pad] = -1.0
        return s.flatten()

    def step(self, a):
        self.pad = min(max(self.pad + a - 1, 0), self.w - 1)
        self.ball[0] += 1
        done = self.ball[0] == self.h - 1
        reward = (1.0 if self.ball[1] == self.pad else -1.0) if done else 0.0
        return self.state(), reward, done


class QNet(nn.Module):
    def __init__(self, n_in, n_act=3):
        super().__init__()
        self.f = nn.Sequential(nn.Linear(n_in, 48), nn.ReLU())
        self.v, self.a = nn.Linear(48, 1), nn.Linear(48, n_act)

    def forward(self, x):
        h = self.f(x)
        adv = self.a(h)
        return self.v(h) + adv - adv.mean(-1, keepdim=True)


class PrioritisedBuffer:
    def __init__(self, capacity=256):
        self.items = deque(maxlen=capacity)
        self.prio = deque(maxlen=capacity)

    def push(self, *transition):
        self.items.append(transition)
        self.prio.append(max(self.prio, default=1.0))

    def sample(self, n):
        p = torch.tensor(list(self.prio)) ** 0.6
        idx = torch.multinomial(p, n, replacement=True)
        s, a, r, s2, d = zip(*(self.items[i] for i in idx.tolist()))
        return idx, torch.stack(s), torch.tensor(a), torch.tensor(r), torch.stack(s2), torch.tensor(d)

    def update(self, idx, td):
        for i, e in zip(idx.tolist(), td.tolist()):
            self.prio[i] = abs(e) + 1e-3


def main(steps=1200, gamma=0.95, tau=0.02):
    torch.manual_seed(0)
    random.seed(0)
    env = Catch()
    online = QNet(30)
    target = copy.deepcopy(online)
    buffer = PrioritisedBuffer()
    opt = torch.optim.Adam(online.parameters(), lr=1e-3)
    q_history, scores = [], deque(maxlen=50)
    s = env.reset()
    for t in range(steps):
        eps = max(0.05, 1 - t / 600)
        with torch.no_grad():
            q = online(s)
        a = random.randrange(3) if random.random() < eps else q.argmax().item()
        s2, r, done = env.step(a)
        buffer.push(s, a, r, s2, float(done))
        if done:
            scores.append(r)
        s = env.reset() if done else s2
        if t < 256:
            continue

        idx, bs, ba, br, bs2, bd = buffer.sample(32)
        with torch.no_grad():
            best = online(bs2).argmax(1, keepdim=True)
            y = br + gamma * (1 - bd) * target(bs2).gather(1, best).squeeze(1)
        pred = online(bs).gather(1, ba[:, None]).squeeze(1)
        td = y - pred
        loss = F.smooth_l1_loss(pred, y)
        opt.zero_grad()
        loss.backward()
        opt.step()
        buffer.update(idx, td)
        q_history.append(pred.mean().item())
        for p, tp in zip(online.parameters(), target.parameters()):
            tp.data.mul_(1 - tau).add_(p.data, alpha=tau)
        if t % 150 == 0:
            print(t, f"loss {loss.item():.4f} q {q_history[-1]:.3f} score {sum(scores) / len(scores):.2f}")


if __name__ == "__main__":
    main()
