# gradwatch-corpus: kind=graph-held
# holder: self.memo | self.phi.memo | flow.phi.memo | model.phi.memo
# first-bad: 1
"""Continuous normalising flow on two moons with a learned time embedding; the embedding is memoised
because the four stages of a step ask for the same times."""
import math

import torch
from torch import nn


class TimeFeatures(nn.Module):
    def __init__(self, n=6):
        super().__init__()
        self.freq = nn.Parameter(torch.linspace(0.5, 4.0, n))
        self.mix = nn.Linear(2 * n, 8)
        self.memo = {}

    def forward(self, t):
        key = round(t, 9)
        if key not in self.memo:
            w = self.freq * t
            self.memo[key] = self.mix(torch.cat([w.sin(), w.cos()]))  # <- culprit
        return self.memo[key]


class Velocity(nn.Module):
    def __init__(self, width=32):
        super().__init__()
        self.phi = TimeFeatures()
        self.net = nn.Sequential(nn.Linear(2 + 8, width), nn.Tanh(), nn.Linear(width, 2))

    def forward(self, t, x):
        return self.net(torch.cat([x, self.phi(t).expand(len(x), -1)], 1))


class Flow:
    """Flow matching loss at a few random times, plus a short RK4 consistency term."""

    def __init__(self, field, rng):
        self.field, self.rng = field, rng

    def rk4(self, x, t, dt):
        k1 = self.field(t, x)
        k2 = self.field(t + dt / 2, x + dt / 2 * k1)
        k3 = self.field(t + dt / 2, x + dt / 2 * k2)
        k4 = self.field(t + dt, x + dt * k3)
        return x + dt / 6 * (k1 + 2 * k2 + 2 * k3 + k4)

    def loss(self, x1):
        x0 = torch.randn(x1.shape, generator=self.rng)
        t = torch.rand((), generator=self.rng).item() * 0.9
        xt = (1 - t) * x0 + t * x1
        match = (self.field(t, xt) - (x1 - x0)).pow(2).mean()
        short = self.rk4(xt, t, 0.1)
        goal = (0.9 - t) * x0 + (t + 0.1) * x1
        return match + 5 * (short - goal).pow(2).mean()


def moons(n, g):
    a = math.pi * torch.rand(n, generator=g)
    side = (torch.rand(n, generator=g) < 0.5).float()
    x = torch.stack([a.cos() + side - 0.5, a.sin() * (1 - 2 * side) + 0.5 * side - 0.25], 1)
    return x + 0.05 * torch.randn(n, 2, generator=g)


@torch.no_grad()
def sample(flow, n, steps=10):
    x = torch.randn(n, 2)
    for k in range(steps):
        x = x + flow.field((k + 0.5) / steps, x) / steps
    return x


def main(steps=800):
    torch.manual_seed(27)
    g = torch.Generator().manual_seed(27)
    flow = Flow(Velocity(), g)
    opt = torch.optim.AdamW(flow.field.parameters(), lr=2e-3)
    for s in range(steps):
        loss = flow.loss(moons(48, g))
        opt.zero_grad()
        loss.backward()
        opt.step()
        if s % 100 == 0:
            print(f"{s} loss {loss.item():.4f}")
    print("spread", sample(flow, 200).std(0).tolist())


if __name__ == "__main__":
    main()
