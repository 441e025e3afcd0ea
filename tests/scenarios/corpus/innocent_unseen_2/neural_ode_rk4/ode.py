import torch
from torch import nn


class Field(nn.Module):
    def __init__(self, d, h):
        super().__init__()
        self.net = nn.Sequential(nn.Linear(d, h), nn.Tanh(), nn.Linear(h, d))
        self.nfe = 0

    def forward(self, y):
        self.nfe += 1
        return self.net(y)


class RK4:
    def __init__(self, f):
        self.f = f
        self.trajectory = []

    def solve(self, y, dt, steps):
        self.trajectory = [y]
        for _ in range(steps):
            k1 = self.f(y)
            k2 = self.f(y + dt / 2 * k1)
            k3 = self.f(y + dt / 2 * k2)
            k4 = self.f(y + dt * k3)
            y = y + dt / 6 * (k1 + 2 * k2 + 2 * k3 + k4)
            self.trajectory.append(y)
        return torch.stack(self.trajectory[1:])
