# gradwatch-corpus: kind=graph-held
# holder: self.rejections | self.solver.rejections | net.solver.rejections | exc | exc.__traceback__
# first-bad: 1
# notice: 8
"""Fit a neural ODE to spiral trajectories with an adaptive Heun solver."""
import math

import torch
from torch import nn

from solver import AdaptiveHeun

torch.set_num_threads(1)


class Field(nn.Module):
    def __init__(self, hidden):
        super().__init__()
        self.net = nn.Sequential(nn.Linear(2, hidden), nn.Tanh(), nn.Linear(hidden, 2))
        self.linear = nn.Parameter(torch.tensor([[-0.1, 1.0], [-1.0, -0.1]]))

    def forward(self, y):
        return y @ self.linear.T + 0.5 * self.net(y)


class NeuralODE(nn.Module):
    def __init__(self, hidden=16):
        super().__init__()
        self.field = Field(hidden)
        self.solver = AdaptiveHeun(self.field, tol=2e-2)

    def forward(self, y0, times):
        path, y, t = [y0], y0, times[0]
        for t_next in times[1:]:
            y = self.solver.integrate(y, t, t_next)
            t = t_next
            path.append(y)
        return torch.stack(path)


def spiral(y0, times):
    rows = []
    for t in times:
        c, s, d = math.cos(1.6 * t), math.sin(1.6 * t), math.exp(-0.15 * t)
        rot = torch.tensor([[c, s], [-s, c]])
        rows.append(d * y0 @ rot.T)
    return torch.stack(rows)


def train(iters=70, batch=16):
    torch.manual_seed(8)
    times = [0.0, 0.7, 1.4]
    net = NeuralODE()
    optimiser = torch.optim.Adam(net.parameters(), lr=5e-3)
    schedule = torch.optim.lr_scheduler.CosineAnnealingLR(optimiser, iters)
    seen = 0
    for it in range(iters):
        y0 = 2.0 * torch.randn(batch, 2)
        target = spiral(y0, times)
        optimiser.zero_grad()
        misfit = (net(y0, times) - target).square().mean()
        misfit.backward()
        optimiser.step()
        schedule.step()
        if (it + 1) % 14 == 0:
            total = len(net.solver.rejections)
            print(f"it {it + 1:3d} misfit {misfit.item():.5f}, rejected steps since last report: {total - seen}")
            seen = total
    sizes = sorted(e.size for e in net.solver.rejections)
    print("median rejected step", sizes[len(sizes) // 2])


if __name__ == "__main__":
    train()
