import math

import torch
import torch.nn.functional as F
from torch import nn

from teacher import MeanTeacher


class SoilJob:
    def __init__(self, o):
        self.o = o
        self.student = nn.Sequential(nn.Linear(o.bands, 20), nn.ReLU(), nn.Linear(20, o.soils))
        self.teacher = MeanTeacher(self.student, o.ema)
        self.opt = torch.optim.SGD(self.student.parameters(), lr=0.05, momentum=0.8)
        self.prints = torch.randn(o.soils, o.bands)
        self.t = 0

    def scans(self, n):
        y = torch.randint(0, self.o.soils, (n,))
        return self.prints[y] + 0.7 * torch.randn(n, self.o.bands), y

    def jitter(self, x):
        return x * (1 + 0.1 * torch.randn(len(x), 1)) + 0.1 * torch.randn_like(x)

    def ramp(self):
        k = min(1.0, self.t / self.o.ramp)
        return self.o.consistency * math.exp(-5 * (1 - k) ** 2)

    def step(self):
        x, y = self.scans(self.o.labelled)
        u, _ = self.scans(self.o.unlabelled)
        sup = F.cross_entropy(self.student(x), y)
        target = F.softmax(self.teacher(self.jitter(u)), -1)
        con = F.mse_loss(F.softmax(self.student(self.jitter(u)), -1), target)
        loss = sup + self.ramp() * con
        self.opt.zero_grad()
        loss.backward()
        self.opt.step()
        self.teacher.absorb()
        self.t += 1
        return sup.item(), con.item()
