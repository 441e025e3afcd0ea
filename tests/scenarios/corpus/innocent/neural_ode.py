# gradwatch-corpus: kind=none
# about: an adaptive integrator unrolled under autograd: now a dozen steps, now a thousand; the
# about: sizes of the graphs vary wildly and drift upward as the dynamics grow stiffer
import math

import torch
import torch.nn as nn
from parts.pace import ITERATIONS


class Dynamics(nn.Module):
    def __init__(self, dim=2, hidden=16):
        super().__init__()
        self.net = nn.Sequential(nn.Linear(dim, hidden), nn.Tanh(), nn.Linear(hidden, dim))
        self.evaluations = 0

    def forward(self, y):
        self.evaluations += 1
        return self.net(y)


def odeint(f, y, end, tolerance):
    """Euler with step doubling."""
    t, h = 0.0, 0.05
    while t < end:
        h = min(h, end - t)
        whole = y + h * f(y)
        half = y + 0.5 * h * f(y)
        half = half + 0.5 * h * f(half)
        error = (whole - half).detach().abs().max().item()
        if error <= tolerance or h < 1e-3:
            y, t = half, t + h
        h = h * min(2.0, max(0.3, 0.9 * math.sqrt(tolerance / (error + 1e-12))))
    return y


def spiral(t):
    return torch.stack([torch.cos(t), torch.sin(t)], -1) * (1 - 0.05 * t).unsqueeze(-1)


def main():
    torch.manual_seed(1)
    f = Dynamics()
    optimizer = torch.optim.RMSprop(f.parameters(), lr=3e-3)
    for i in range(ITERATIONS):
        start = torch.rand(8) * 6
        span = 0.2 + 1.5 * torch.rand(()).item()
        tolerance = 3e-4 if i % 60 == 59 else 10 ** torch.empty(()).uniform_(-3, -2).item()
        f.evaluations = 0
        y = odeint(f, spiral(start), span, tolerance)
        loss = (y - spiral(start + span)).abs().mean()
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        if i % 30 == 29:
            print(f"iter {i + 1} loss {loss.item():.6f} evaluations {f.evaluations}")


if __name__ == "__main__":
    main()
