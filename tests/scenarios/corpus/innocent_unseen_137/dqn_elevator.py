# gradwatch-corpus: kind=none
import copy
import random
from collections import deque

import torch
from torch import nn
import torch.nn.functional as F

torch.set_num_threads(1)
random.seed(2)
torch.manual_seed(2)


class Lift:
    floors = 6

    def reset(self):
        self.at, self.call, self.t = 0, random.randrange(self.floors), 0
        return self.see()

    def see(self):
        v = torch.zeros(2 * self.floors)
        v[self.at] = v[self.floors + self.call] = 1
        return v

    def step(self, a):
        self.at = min(max(self.at + a - 1, 0), self.floors - 1)
        self.t += 1
        r = 1.0 if self.at == self.call else -0.1
        if r > 0:
            self.call = random.randrange(self.floors)
        return self.see(), r, self.t >= 25


class Memory(deque):
    def draw(self, n):
        s, a, r, s2, q0 = zip(*random.sample(self, n))
        return torch.stack(s), torch.tensor(a), torch.tensor(r), torch.stack(s2), torch.stack(q0)


online = nn.Sequential(nn.Linear(12, 24), nn.ReLU(), nn.Linear(24, 3))
target = copy.deepcopy(online).requires_grad_(False)
opt = torch.optim.Adam(online.parameters(), 2e-3)
memory = Memory(maxlen=2000)
lift, steps, score = Lift(), 0, 0.0


def act(s, eps):
    q = online(s)
    a = random.randrange(3) if random.random() < eps else int(q.argmax())
    return a, q[a]


def improve():
    s, a, r, s2, q0 = memory.draw(24)
    q = online(s).gather(1, a.unsqueeze(1)).squeeze(1)
    goal = r + 0.9 * target(s2).max(1).values
    loss = F.smooth_l1_loss(q, goal) + 0.01 * (q - q0).square().mean()
    opt.zero_grad()
    loss.backward()
    opt.step()
    with torch.no_grad():
        for pt, po in zip(target.parameters(), online.parameters()):
            pt.lerp_(po, 0.02)


for ep in range(50):
    s, over = lift.reset(), False
    while not over:
        a, q = act(s, max(0.05, 1 - steps / 500))
        s2, r, over = lift.step(a)
        memory.append((s, a, r, s2, q.detach()))
        s, steps, score = s2, steps + 1, score + r
        if len(memory) >= 64:
            improve()
    if ep % 10 == 9:
        print(ep + 1, round(score / (ep + 1), 3))
