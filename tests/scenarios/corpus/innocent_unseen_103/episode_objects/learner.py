import random

import torch
from torch import nn

from task import Task


class Scheduler:
    def __init__(self, seed):
        self.rng = random.Random(seed)
        self.net = nn.Sequential(nn.Linear(1, 32), nn.Tanh(), nn.Linear(32, 32), nn.Tanh(), nn.Linear(32, 1))
        self.slow = [p.detach().clone() for p in self.net.parameters()]
        self.steps = 0
        self.opened = 0
        self.opt = None

    def open(self):
        """Start from the slow weights, moved towards the last task's (Reptile)."""
        with torch.no_grad():
            for s, p in zip(self.slow, self.net.parameters()):
                s.lerp_(p, 0.25)
                p.copy_(s)
        self.opt = torch.optim.SGD(self.net.parameters(), lr=0.02)
        self.opened += 1
        return Task(f"sine{self.opened}", self.rng.randint(12, 24),
                    self.rng.uniform(0.5, 3), self.rng.uniform(0, 3))

    def advance(self, task):
        x, y = task.sample()
        pred = self.net(x)
        loss = (pred - y).square().mean()
        self.opt.zero_grad()
        loss.backward()
        self.opt.step()
        self.steps += 1
        task.note(loss, pred)
