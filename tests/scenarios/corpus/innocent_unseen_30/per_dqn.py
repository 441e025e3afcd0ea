# gradwatch-corpus: kind=none
"""DQN with prioritised replay on a small tank-filling control problem."""
import random
from collections import namedtuple

import numpy as np
import torch
import torch.nn as nn

Item = namedtuple("Item", "s a r s2 d")


class SumTree:
    def __init__(self, capacity):
        self.capacity = capacity
        self.tree = np.zeros(2 * capacity)

    def set(self, i, value):
        i += self.capacity
        self.tree[i] = value
        while i > 1:
            i //= 2
            self.tree[i] = self.tree[2 * i] + self.tree[2 * i + 1]

    def find(self, mass):
        i = 1
        while i < self.capacity:
            left = self.tree[2 * i]
            i = 2 * i if mass <= left else 2 * i + 1
            mass = mass if i % 2 == 0 else mass - left
        return i - self.capacity


class PrioritizedReplay:
    def __init__(self, capacity, alpha=0.6):
        self.tree = SumTree(capacity)
        self.store = []
        self.capacity, self.alpha = capacity, alpha
        self.head, self.top = 0, 1.0

    def add(self, item):
        if len(self.store) < self.capacity:
            self.store.append(item)
        else:
            self.store[self.head] = item
        self.tree.set(self.head, self.top ** self.alpha)
        self.head = (self.head + 1) % self.capacity

    def sample(self, n):
        total = self.tree.tree[1]
        idx = [min(self.tree.find(random.uniform(0, total)), len(self.store) - 1) for _ in range(n)]
        cols = Item(*zip(*(self.store[i] for i in idx)))
        batch = Item(torch.stack(cols.s), torch.tensor(cols.a), torch.tensor(cols.r),
                     torch.stack(cols.s2), torch.tensor(cols.d))
        prob = torch.tensor([self.tree.tree[i + self.capacity] / total for i in idx], dtype=torch.float32)
        weight = (len(self.store) * prob).pow(-0.5)
        return idx, batch, weight / weight.max()

    def reprioritise(self, idx, errors):
        for i, e in zip(idx, errors.tolist()):
            self.top = max(self.top, e)
            self.tree.set(i, (e + 1e-3) ** self.alpha)


class Tank:
    def reset(self):
        self.level, self.target, self.t = random.random(), 0.3 + 0.4 * random.random(), 0
        return self.obs()

    def obs(self):
        history = torch.full((32,), self.level)
        return torch.cat([torch.tensor([self.level, self.target, self.t / 30]), history])

    def step(self, a):
        self.level = min(1.0, max(0.0, self.level + (a - 1) * 0.07 - 0.01 + random.gauss(0, 0.005)))
        self.t += 1
        return self.obs(), -abs(self.level - self.target), self.t >= 30


def qnet():
    return nn.Sequential(nn.Linear(35, 40), nn.ReLU(), nn.Linear(40, 3))


def main(iters=400, capacity=1024, collect=6, batch=32, gamma=0.95):
    random.seed(4)
    torch.manual_seed(4)
    online, target = qnet(), qnet()
    target.load_state_dict(online.state_dict())
    opt = torch.optim.Adam(online.parameters(), lr=1e-3)
    memory, env = PrioritizedReplay(capacity), Tank()
    s, eps, score = env.reset(), 1.0, 0.0
    for it in range(iters):
        for _ in range(collect):
            with torch.no_grad():
                a = random.randrange(3) if random.random() < eps else int(online(s).argmax())
            s2, r, d = env.step(a)
            memory.add(Item(s, a, r, s2, float(d)))
            s = env.reset() if d else s2
            score += 0.01 * (r - score)
        eps = max(0.05, eps * 0.99)
        idx, b, w = memory.sample(batch)
        q = online(b.s).gather(1, b.a[:, None]).squeeze(1)
        with torch.no_grad():
            best = online(b.s2).argmax(1, keepdim=True)
            y = b.r + gamma * (1 - b.d) * target(b.s2).gather(1, best).squeeze(1)
        td = y - q
        loss = (w * nn.functional.huber_loss(q, y, reduction="none")).mean()
        opt.zero_grad()
        loss.backward()
        opt.step()
        memory.reprioritise(idx, td.detach().abs())
        if it % 25 == 0:
            target.load_state_dict(online.state_dict())
        if it % 100 == 99:
            print(f"it {it + 1} replay {len(memory.store)} reward~{score:.3f} loss {loss.item():.5f}")


if __name__ == "__main__":
    main()
