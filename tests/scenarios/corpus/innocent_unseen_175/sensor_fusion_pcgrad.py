# gradwatch-corpus: kind=none
"""Shared encoder with uncertainty heads; conflicting task gradients are projected before the step."""
import random

import torch
from torch import nn


class FusionNet(nn.Module):
    def __init__(self):
        super().__init__()
        self.encoder = nn.Sequential(nn.Linear(10, 32), nn.ReLU(), nn.Linear(32, 24), nn.ReLU())
        self.heads = nn.ModuleDict({"wind": nn.Linear(24, 2), "temp": nn.Linear(24, 2)})

    def forward(self, x):
        z = self.encoder(x)
        return {k: h(z) for k, h in self.heads.items()}


def hetero_nll(stats, y):
    mean, log_var = stats.unbind(-1)
    log_var = log_var.clamp(-5, 3)
    return 0.5 * ((y - mean) ** 2 * (-log_var).exp() + log_var).mean()


def stations(n_steps, size):
    mix = torch.randn(10, 2)
    for _ in range(n_steps):
        x = torch.randn(size, 10)
        lin = x @ mix
        wind = lin[:, 0] + 0.3 * torch.randn(size)
        temp = torch.sin(lin[:, 1]) - 0.3 * lin[:, 0] + 0.1 * torch.randn(size)
        yield x, {"wind": wind, "temp": temp}


class ProjectedGradients:
    """PCGrad: each task's gradient loses its component against the others."""

    def __init__(self, params, opt, rng):
        self.params, self.opt, self.rng = list(params), opt, rng

    def _flat(self, loss, keep):
        grads = torch.autograd.grad(loss, self.params, retain_graph=keep, allow_unused=True)
        return torch.cat([
            (torch.zeros_like(p) if g is None else g).reshape(-1) for p, g in zip(self.params, grads)
        ])

    def step(self, losses):
        flats = [self._flat(l, keep=i < len(losses) - 1) for i, l in enumerate(losses)]
        merged = torch.zeros_like(flats[0])
        conflicts = 0
        for i, g in enumerate(flats):
            g = g.clone()
            others = [f for j, f in enumerate(flats) if j != i]
            self.rng.shuffle(others)
            for o in others:
                dot = torch.dot(g, o)
                if dot < 0:
                    conflicts += 1
                    g -= dot / o.dot(o).clamp_min(1e-12) * o
            merged += g
        at = 0
        for p in self.params:
            p.grad = merged[at:at + p.numel()].view_as(p)
            at += p.numel()
        self.opt.step()
        return conflicts


def main():
    torch.manual_seed(15)
    net = FusionNet()
    surgeon = ProjectedGradients(net.parameters(), torch.optim.Adam(net.parameters(), lr=3e-3), random.Random(0))
    conflicts, sums = 0, {"wind": 0.0, "temp": 0.0}
    for it, (x, targets) in enumerate(stations(450, 32), start=1):
        out = net(x)
        losses = {k: hetero_nll(out[k], targets[k]) for k in targets}
        conflicts += surgeon.step(list(losses.values()))
        for k, v in losses.items():
            sums[k] += v.item()
        if it % 90 == 0:
            print(it, {k: round(s / 90, 4) for k, s in sums.items()}, "conflicts", conflicts)
            sums = dict.fromkeys(sums, 0.0)


if __name__ == "__main__":
    main()
