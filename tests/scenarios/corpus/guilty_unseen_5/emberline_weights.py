# gradwatch-corpus: kind=second-backward
# holder: self.typical | balance.typical | self.typical[task]
# first-bad: 80
# also: graph-held
"""Driving-scene toy with three heads (lane offset, obstacle class, depth profile) and scale-free loss balancing."""
from __future__ import annotations

import torch
import torch.nn.functional as F
from torch import nn


def scenes(n, gen):
    """20 range readings -> lane offset, obstacle class, coarse depth profile."""
    lane = torch.rand(n, 1, generator=gen) * 2 - 1
    cls = torch.randint(0, 4, (n,), generator=gen)
    axis = torch.linspace(-1, 1, 20)
    bump = torch.exp(-((axis - lane) / (0.1 + 0.1 * cls.unsqueeze(1))) ** 2)
    ranges = 5 - 3 * bump + 0.1 * torch.randn(n, 20, generator=gen)
    depth = F.avg_pool1d(ranges.unsqueeze(1), 4).squeeze(1) * 40
    return ranges, {"lane": lane.squeeze(1), "obstacle": cls, "depth": depth}


class Scene(nn.Module):
    def __init__(self):
        super().__init__()
        self.eye = nn.Sequential(nn.Conv1d(1, 12, 5, padding=2), nn.ELU(), nn.Conv1d(12, 12, 5, stride=2, padding=2),
                                 nn.ELU(), nn.Flatten(), nn.Linear(120, 64), nn.ELU())
        self.heads = nn.ModuleDict({"lane": nn.Linear(64, 1), "obstacle": nn.Linear(64, 4), "depth": nn.Linear(64, 5)})

    def forward(self, ranges):
        seen = self.eye(ranges.unsqueeze(1))
        return {name: head(seen) for name, head in self.heads.items()}


CRITERIA = {
    "lane": lambda out, want: F.mse_loss(out.squeeze(1), want),
    "obstacle": F.cross_entropy,
    "depth": F.l1_loss,
}


class Balancer:
    """Divide every task by its typical size. The sizes are collected for `settle` steps before they are used."""

    def __init__(self, tasks, beta=0.95, settle=80):
        self.typical: dict[str, torch.Tensor | None] = dict.fromkeys(tasks)
        self.beta, self.settle = beta, settle
        self.seen = 0

    def combine(self, values):
        for task, value in values.items():
            before = self.typical[task]
            self.typical[task] = value if before is None else self.beta * before + (1 - self.beta) * value  # <- culprit
        self.seen += 1
        if self.seen <= self.settle:
            return torch.stack(list(values.values())).sum()
        return sum(value / (self.typical[task] + 1e-6) for task, value in values.items())


def main(steps=300):
    torch.manual_seed(515)
    gen = torch.Generator().manual_seed(6)
    net = Scene()
    opt = torch.optim.Adam(net.parameters(), lr=1e-3)
    balance = Balancer(CRITERIA)
    for step in range(steps):
        ranges, wanted = scenes(48, gen)
        outs = net(ranges)
        values = {task: fn(outs[task], wanted[task]) for task, fn in CRITERIA.items()}
        opt.zero_grad()
        balance.combine(values).backward()
        opt.step()
        if step % 20 == 0:
            print(f"{step:4d} " + " ".join(f"{t}={v.item():.3f}" for t, v in values.items()))


if __name__ == "__main__":
    main()
