# gradwatch-corpus: kind=graph-held
# holder: self.priorities | self.priorities[i] | buffer.priorities | memory.priorities
# first-bad: 1
import random
from collections import namedtuple

import torch
import torch.nn as nn

Transition = namedtuple("Transition", "s a r s2 done")
SIZE = 5


class GridWorld:
    moves = [(0, 1), (0, -1), (1, 0), (-1, 0)]

    def reset(self):
        self.pos, self.t = [0, 0], 0
        return self.obs()

    def obs(self):
        grid = torch.zeros(SIZE, SIZE)
        grid[self.pos[0], self.pos[1]] = 1.0
        return grid.flatten()

    def step(self, a):
        dx, dy = self.moves[a]
        self.pos = [min(SIZE - 1, max(0, self.pos[0] + dx)), min(SIZE - 1, max(0, self.pos[1] + dy))]
        self.t += 1
        goal = self.pos == [SIZE - 1, SIZE - 1]
        return self.obs(), (1.0 if goal else -0.02), goal or self.t >= 40


class PrioritizedReplay:
    def __init__(self, capacity=5000, alpha=0.6, eps=1e-3):
        self.capacity, self.alpha, self.eps = capacity, alpha, eps
        self.data, self.priorities = [], []

    def __len__(self):
        return len(self.data)

    def push(self, tr):
        if len(self.data) >= self.capacity:
            self.data.pop(0)
            self.priorities.pop(0)
        self.data.append(tr)
        self.priorities.append(1.0)

    def sample(self, k):
        w = [(float(p) + self.eps) ** self.alpha for p in self.priorities]
        idx = random.choices(range(len(self.data)), weights=w, k=k)
        total = sum(w)
        isw = torch.tensor([(len(w) * w[i] / total) ** -0.4 for i in idx])
        return idx, [self.data[i] for i in idx], isw / isw.max()

    def update(self, idx, errors):
        for i, err in zip(idx, errors):
            self.priorities[i] = err  # <- culprit


class Agent:
    def __init__(self, lr=1e-3, gamma=0.97):
        self.q = nn.Sequential(nn.Linear(SIZE * SIZE, 64), nn.ReLU(), nn.Linear(64, 4))
        self.target = nn.Sequential(nn.Linear(SIZE * SIZE, 64), nn.ReLU(), nn.Linear(64, 4))
        self.target.load_state_dict(self.q.state_dict())
        self.opt = torch.optim.Adam(self.q.parameters(), lr=lr)
        self.gamma = gamma

    @torch.no_grad()
    def act(self, s, eps):
        if random.random() < eps:
            return random.randrange(4)
        return int(self.q(s).argmax())

    def learn(self, memory, k=16):
        idx, batch, isw = memory.sample(k)
        s = torch.stack([b.s for b in batch])
        a = torch.tensor([b.a for b in batch])
        r = torch.tensor([b.r for b in batch])
        s2 = torch.stack([b.s2 for b in batch])
        done = torch.tensor([float(b.done) for b in batch])
        with torch.no_grad():
            best = self.q(s2).argmax(1, keepdim=True)
            y = r + self.gamma * (1 - done) * self.target(s2).gather(1, best).squeeze(1)
        q = self.q(s).gather(1, a[:, None]).squeeze(1)
        td = y - q
        loss = (isw * td.pow(2)).mean()
        self.opt.zero_grad()
        loss.backward()
        nn.utils.clip_grad_norm_(self.q.parameters(), 10.0)
        self.opt.step()
        memory.update(idx, td.abs())  # <- culprit
        return loss.item()


def train(steps=500, warmup=64, sync=50):
    random.seed(0)
    torch.manual_seed(0)
    env, agent, memory = GridWorld(), Agent(), PrioritizedReplay()
    s, ret, returns = env.reset(), 0.0, []
    for t in range(steps + warmup):
        a = agent.act(s, eps=max(0.05, 1 - t / 300))
        s2, r, done = env.step(a)
        memory.push(Transition(s, a, r, s2, done))
        s, ret = s2, ret + r
        if done:
            returns.append(ret)
            s, ret = env.reset(), 0.0
        if t >= warmup:
            loss = agent.learn(memory)
            if t % 100 == 0:
                print(f"step {t} td-loss {loss:.4f} episodes {len(returns)}")
        if t % sync == 0:
            agent.target.load_state_dict(agent.q.state_dict())


if __name__ == "__main__":
    train()
