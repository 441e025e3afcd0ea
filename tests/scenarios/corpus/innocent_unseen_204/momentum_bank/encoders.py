import copy

import torch
from torch import nn
from torch.nn import functional as F


class Encoder(nn.Module):
    def __init__(self, dim, out):
        super().__init__()
        self.net = nn.Sequential(nn.Linear(dim, 40), nn.ReLU(), nn.Linear(40, out))

    def forward(self, x):
        return F.normalize(self.net(x), dim=1)


class MomentumPair:
    def __init__(self, student, momentum):
        self.student = student
        self.teacher = copy.deepcopy(student).requires_grad_(False)
        self.momentum = momentum

    def __call__(self, a, b):
        return self.student(a), self.teacher(b)

    @torch.no_grad()
    def follow(self):
        for t, s in zip(self.teacher.parameters(), self.student.parameters()):
            t.copy_(self.momentum * t + (1 - self.momentum) * s)
