# gradwatch-corpus: kind=graph-held
# holder: mem.priorities.tree | self.priorities.tree | self.tree | mem.priorities
# first-bad: 1
# notice: 8
# after: Kaixhin/Rainbow #33 "Improve the replay memory to avoid storing the autograd graphs in it" (update_priorities)
import random
from collections import namedtuple

import torch
from torch import nn, optim
import torch.nn.functional as F

Transition = namedtuple("Transition", "s a r s2 done")


class Grid:
    N = 5
    def reset(self):
        self.pos = [0, 0]
        return self.obs()
    def obs(self):
        o = torch.zeros(self.N * self.N)
        o[self.pos[0] * self.N + self.pos[1]] = 1
        return o
    def step(self, a):
        d = [(0, 1), (0, -1), (1, 0), (-1, 0)][a]
        self.pos = [min(self.N - 1, max(0, p + q)) for p, q in zip(self.pos, d)]
        done = self.pos == [self.N - 1, self.N - 1]
        return self.obs(), 1.0 if done else -0.01, done


class PriorityList:
    def __init__(self, capacity):
        self.tree = [1.0] * capacity
    def set(self, idxs, values, alpha):
        for i, v in zip(idxs, values):
            self.tree[i] = (v + 1e-3) ** alpha  # <- culprit
    def draw(self, k, size):
        w = [float(p) for p in self.tree[:size]]
        return random.choices(range(size), weights=w, k=k)


class ReplayMemory:
    def __init__(self, capacity=400, alpha=0.6):
        self.capacity, self.alpha = capacity, alpha
        self.data, self.head = [], 0
        self.priorities = PriorityList(capacity)
    def append(self, tr):
        if len(self.data) < self.capacity:
            self.data.append(tr)
        else:
            self.data[self.head] = tr
            self.head = (self.head + 1) % self.capacity
    def sample(self, k):
        idxs = self.priorities.draw(k, len(self.data))
        b = Transition(*zip(*[self.data[i] for i in idxs]))
        return idxs, torch.stack(b.s), torch.tensor(b.a), torch.tensor(b.r), torch.stack(b.s2), torch.tensor(b.done).float()
    def update_priorities(self, idxs, td):
        self.priorities.set(idxs, td, self.alpha)  # <- culprit


class Agent:
    def __init__(self):
        mk = lambda: nn.Sequential(nn.Linear(25, 64), nn.ReLU(), nn.Linear(64, 4))
        self.online, self.target = mk(), mk()
        self.optimiser = optim.Adam(self.online.parameters(), lr=2e-3)
        self.sync()
    def sync(self):
        self.target.load_state_dict(self.online.state_dict())
    def act(self, s, eps):
        if random.random() < eps:
            return random.randrange(4)
        with torch.no_grad():
            return int(self.online(s).argmax())
    def learn(self, mem):
        idxs, s, a, r, s2, done = mem.sample(16)
        q = self.online(s).gather(1, a[:, None]).squeeze(1)
        with torch.no_grad():
            y = r + 0.97 * (1 - done) * self.target(s2).max(1).values
        td = F.smooth_l1_loss(q, y, reduction="none")
        self.optimiser.zero_grad()
        td.mean().backward()
        self.optimiser.step()
        mem.update_priorities(idxs, td)  # <- culprit


if __name__ == "__main__":
    random.seed(0); torch.manual_seed(0)
    env, agent, mem = Grid(), Agent(), ReplayMemory()
    s, T = env.reset(), 0
    while T < 420:
        T += 1
        a = agent.act(s, max(0.1, 1 - T / 300))
        s2, r, done = env.step(a)
        mem.append(Transition(s, a, r, s2, done))
        s = env.reset() if done else s2
        if T > 100 and T % 2 == 0:
            agent.learn(mem)
        if T % 100 == 0:
            agent.sync()
            print("T", T, "memory", len(mem.data))
