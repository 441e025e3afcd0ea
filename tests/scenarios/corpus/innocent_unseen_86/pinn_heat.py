# gradwatch-corpus: kind=none
"""Physics-informed fit of u_t = a u_xx on [0,1], unknown diffusivity a.

Residuals need second derivatives; gradients are accumulated over three groups of
points (interior, boundary, sensors) before each update.
"""
import math
from collections import deque
from dataclasses import dataclass, field

import torch
from torch import nn


@dataclass
class Monitor:
    keep: int = 12
    parts: dict = field(default_factory=dict)
    diffusivity: list = field(default_factory=list)
    worst: torch.Tensor | None = None

    def put(self, name, value):
        self.parts.setdefault(name, deque(maxlen=self.keep)).append(value)
        if self.worst is None or value > self.worst:
            self.worst = value

    def line(self):
        return " ".join(f"{k}={(sum(v) / len(v)).item():.4f}" for k, v in self.parts.items())


class Field(nn.Module):
    def __init__(self, w=20):
        super().__init__()
        self.f = nn.Sequential(nn.Linear(2, w), nn.Tanh(), nn.Linear(w, w), nn.Tanh(), nn.Linear(w, 1))
        self.log_a = nn.Parameter(torch.tensor(0.05).log())

    def forward(self, x, t):
        return self.f(torch.cat([x, t], 1))


def d(y, x):
    return torch.autograd.grad(y.sum(), x, create_graph=True)[0]


class Problem:
    A = 0.12

    def exact(self, x, t):
        return torch.exp(-self.A * math.pi ** 2 * t) * torch.sin(math.pi * x)

    def interior(self, u):
        x = torch.rand(48, 1, requires_grad=True)
        t = torch.rand(48, 1, requires_grad=True)
        y = u(x, t)
        return (d(y, t) - u.log_a.exp() * d(d(y, x), x)).square().mean()

    def boundary(self, u):
        t = torch.rand(24, 1)
        walls = u(torch.zeros_like(t), t).square().mean() + u(torch.ones_like(t), t).square().mean()
        x = torch.rand(24, 1)
        t0 = torch.zeros_like(x)
        return walls + (u(x, t0) - self.exact(x, t0)).square().mean()

    def sensors(self, u):
        x, t = torch.rand(32, 1), torch.rand(32, 1)
        seen = self.exact(x, t) + 0.01 * torch.randn(32, 1)
        return 5 * (u(x, t) - seen).square().mean()


def train(updates=320):
    torch.set_num_threads(1)
    torch.manual_seed(41)
    u, problem, mon = Field(), Problem(), Monitor()
    opt = torch.optim.Adam(u.parameters(), lr=5e-3)
    groups = [problem.interior, problem.boundary, problem.sensors]
    for k in range(updates):
        opt.zero_grad()
        for group in groups:
            part = group(u)
            part.backward()
            mon.put(group.__name__, part)
        opt.step()
        mon.diffusivity.append(u.log_a.exp().item())
        if k % 64 == 63:
            print(f"{k + 1:4d} a={mon.diffusivity[-1]:.4f} {mon.line()}")
    return mon


if __name__ == "__main__":
    m = train()
    print("worst part seen", m.worst.item(), "true a", Problem.A)
