# gradwatch-corpus: kind=none
# about: graph grows from stage to stage because the horizon does, is bounded at 20 steps; dict keeps only the latest path
"""Neural ODE for a damped pendulum; the fitted horizon is lengthened in stages."""
import torch
from torch import nn


class Horizon:
    def __init__(self, stages=((0, 4), (60, 8), (120, 14), (180, 20))):
        self.stages = stages

    def __call__(self, it):
        return [h for start, h in self.stages if it >= start][-1]


class Field(nn.Module):
    def __init__(self, h=32):
        super().__init__()
        self.f = nn.Sequential(nn.Linear(2, h), nn.Tanh(), nn.Linear(h, 2))

    def forward(self, y):
        return self.f(y)


def midpoint(f, y, dt):
    return y + dt * f(y + 0.5 * dt * f(y))


def flow(f, y, steps, dt=0.1):
    path = [y]
    for _ in range(steps):
        path.append(midpoint(f, path[-1], dt))
    return torch.stack(path)


def pendulum(y):
    return torch.stack([y[:, 1], -9.8 / 4 * torch.sin(y[:, 0]) - 0.2 * y[:, 1]], 1)


if __name__ == "__main__":
    torch.manual_seed(30)
    field, horizon = Field(), Horizon()
    opt = torch.optim.Adam(field.parameters(), lr=5e-3)
    paths = {}
    for it in range(300):
        y0 = torch.randn(32, 2)
        steps = horizon(it)
        with torch.no_grad():
            goal = flow(pendulum, y0, steps)
        paths["fit"] = flow(field, y0, steps)
        misfit = (paths["fit"] - goal).square().mean()
        opt.zero_grad()
        misfit.backward()
        opt.step()
        if it % 50 == 0:
            print(f"{it:4d} horizon {steps:2d} misfit {misfit.item():.5f}")
