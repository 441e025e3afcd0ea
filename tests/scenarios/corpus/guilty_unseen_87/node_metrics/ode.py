import torch
from torch import nn


class Field(nn.Module):
    def __init__(self, dim, width):
        super().__init__()
        self.net = nn.Sequential(nn.Linear(dim, width), nn.Tanh(), nn.Linear(width, dim))

    def forward(self, y):
        return self.net(y)


class NeuralODE(nn.Module):
    def __init__(self, dim, width):
        super().__init__()
        self.f = Field(dim, width)

    def rk4(self, y, h):
        k1 = self.f(y)
        k2 = self.f(y + h / 2 * k1)
        k3 = self.f(y + h / 2 * k2)
        k4 = self.f(y + h * k3)
        return y + h / 6 * (k1 + 2 * k2 + 2 * k3 + k4), k1

    def forward(self, y, t):
        path, energy = [y], 0.0
        for a, b in zip(t[:-1], t[1:]):
            y, v = self.rk4(y, b - a)
            energy = energy + (b - a) * v.pow(2).sum(-1).mean()
            path.append(y)
        return torch.stack(path), energy


def spirals(n, t):
    r, phi = 0.5 + torch.rand(n), 6.28 * torch.rand(n)
    rad = r * torch.exp(-0.4 * t).unsqueeze(1)
    ang = phi + 2.0 * t.unsqueeze(1)
    y = torch.stack([rad * ang.cos(), rad * ang.sin()], -1)
    return y[0], y + 0.01 * torch.randn_like(y)
