# gradwatch-corpus: kind=graph-chain
# holder: self.target | agent.target
# first-bad: 1
import random
from collections import deque

import torch
import torch.nn as nn
import torch.nn.functional as F
from torch.func import functional_call

FLOORS = 8
ACTIONS = 3  # down, stay, up


class Elevator:
    def __init__(self):
        self.reset()

    def reset(self):
        self.pos = random.randrange(FLOORS)
        self.calls = [0] * FLOORS
        self.calls[random.randrange(FLOORS)] = 1
        return self.obs()

    def obs(self):
        onehot = [0.0] * FLOORS
        onehot[self.pos] = 1.0
        return torch.tensor(onehot + [float(c) for c in self.calls])

    def step(self, a):
        self.pos = min(max(self.pos + a - 1, 0), FLOORS - 1)
        reward = -0.1 * sum(self.calls)
        if self.calls[self.pos]:
            self.calls[self.pos] = 0
            reward += 1.0
        if random.random() < 0.15:
            self.calls[random.randrange(FLOORS)] = 1
        return self.obs(), reward


class QNet(nn.Module):
    def __init__(self):
        super().__init__()
        self.fc1 = nn.Linear(2 * FLOORS, 32)
        self.fc2 = nn.Linear(32, ACTIONS)

    def forward(self, s):
        return self.fc2(F.relu(self.fc1(s)))


class Agent:
    def __init__(self, gamma=0.95, tau=0.02):
        self.q = QNet()
        self.gamma, self.tau = gamma, tau
        self.target = {k: v.clone() for k, v in self.q.named_parameters()}
        self.opt = torch.optim.Adam(self.q.parameters(), lr=1e-3)
        self.eps = 1.0

    def act(self, s):
        if random.random() < self.eps:
            return random.randrange(ACTIONS)
        with torch.no_grad():
            return self.q(s).argmax().item()

    def soft_update(self):
        for k, v in self.q.named_parameters():
            self.target[k] = torch.lerp(self.target[k], v, self.tau)  # <- culprit

    def learn(self, batch):
        s, a, r, s2 = batch
        q = self.q(s).gather(1, a.unsqueeze(1)).squeeze(1)
        q_next = functional_call(self.q, self.target, (s2,)).max(1).values  # <- culprit
        loss = F.smooth_l1_loss(q, r + self.gamma * q_next)
        self.opt.zero_grad()
        loss.backward()
        self.opt.step()
        self.soft_update()
        self.eps = max(0.05, self.eps * 0.995)
        return loss.item()


def collate(items):
    s, a, r, s2 = zip(*items)
    return torch.stack(s), torch.tensor(a), torch.tensor(r), torch.stack(s2)


def main(steps=1000, warmup=64):
    random.seed(1)
    torch.manual_seed(1)
    env, agent, replay = Elevator(), Agent(), deque(maxlen=2000)
    s = env.reset()
    for _ in range(warmup):
        a = agent.act(s)
        s2, r = env.step(a)
        replay.append((s, a, r, s2))
        s = s2
    score = 0.0
    for t in range(steps):
        a = agent.act(s)
        s2, r = env.step(a)
        replay.append((s, a, r, s2))
        s = s2
        score += r
        loss = agent.learn(collate(random.sample(replay, 32)))
        if (t + 1) % 100 == 0:
            print(f"t={t + 1} loss={loss:.4f} return/100={score:.2f} eps={agent.eps:.2f}")
            score = 0.0


if __name__ == "__main__":
    main()
