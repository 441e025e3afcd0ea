# gradwatch-corpus: kind=crashed
# first-bad: 100
"""Normalizing flow for two moons, trained greedily one coupling layer at a time."""
import math

import torch
from torch import nn


def two_moons(n):
    t = math.pi * torch.rand(n)
    upper = torch.rand(n) < 0.5
    x = torch.where(upper, t.cos(), 1 - t.cos())
    y = torch.where(upper, t.sin(), 0.5 - t.sin())
    return torch.stack([x, y], 1) + 0.08 * torch.randn(n, 2)


class Coupling(nn.Module):
    def __init__(self, flip, hidden=24):
        super().__init__()
        self.flip = flip
        self.net = nn.Sequential(nn.Linear(1, hidden), nn.ReLU(), nn.Linear(hidden, 2))

    def forward(self, x):
        a, b = x.unbind(1)
        if self.flip:
            a, b = b, a
        log_s, t = self.net(a[:, None]).unbind(1)
        log_s = 1.5 * torch.tanh(log_s)
        b = b * log_s.exp() + t
        out = torch.stack((b, a) if self.flip else (a, b), dim=1)
        return out, log_s


class Flow(nn.Module):
    def __init__(self, depth):
        super().__init__()
        self.layers = nn.ModuleList(Coupling(flip=bool(i % 2)) for i in range(depth))

    def log_prob(self, x):
        logdet = 0.0
        for layer in self.layers:
            x, ld = layer(x)
            logdet = logdet + ld
        base = -0.5 * x.pow(2).sum(1) - math.log(2 * math.pi)
        return base + logdet


class GreedySchedule:
    """Only the layer of the current stage learns; the others stay as they are."""

    def __init__(self, flow, iters_per_stage):
        self.flow = flow
        self.iters_per_stage = iters_per_stage
        self.stage = -1

    def update(self, it):
        stage = it // self.iters_per_stage
        if stage != self.stage:
            self.stage = stage
            for i, layer in enumerate(self.flow.layers):
                layer.requires_grad_(i == stage)  # <- culprit


def train(iters=400, depth=4):
    flow = Flow(depth)
    schedule = GreedySchedule(flow, iters_per_stage=25)
    opt = torch.optim.Adam(flow.parameters(), lr=5e-3)
    for it in range(iters):
        schedule.update(it)
        nll = -flow.log_prob(two_moons(128)).mean()
        opt.zero_grad()
        nll.backward()
        opt.step()
        if it % 25 == 0:
            print(f"iter {it:3d} stage {schedule.stage} nll {nll.item():.4f}")
    return flow


if __name__ == "__main__":
    torch.manual_seed(23)
    train()
