# gradwatch-corpus: kind=none
"""Crash severity regression; keeps the hardest batches seen lately for the analyst."""
import heapq
from dataclasses import dataclass, field
from typing import Any

import torch
from torch import nn


@dataclass(order=True)
class Case:
    severity: float
    step: int
    pred: Any = field(compare=False)
    target: Any = field(compare=False)


class HardCases:
    def __init__(self, keep, decay=0.98):
        self.keep = keep
        self.decay = decay
        self.heap = []

    def offer(self, case):
        for held in self.heap:
            held.severity *= self.decay
        heapq.heapify(self.heap)
        if len(self.heap) < self.keep:
            heapq.heappush(self.heap, case)
        else:
            heapq.heappushpop(self.heap, case)

    def report(self):
        worst = heapq.nlargest(3, self.heap)
        return [(c.step, round((c.pred - c.target).abs().max().item(), 2)) for c in worst]


class Severity(nn.Module):
    def __init__(self, numeric, levels):
        super().__init__()
        self.emb = nn.ModuleList(nn.Embedding(n, 6) for n in levels)
        d = numeric + 6 * len(levels)
        self.net = nn.Sequential(nn.Linear(d, 64), nn.ReLU(), nn.Dropout(0.1), nn.Linear(64, 1))

    def forward(self, num, cat):
        parts = [e(cat[:, i]) for i, e in enumerate(self.emb)]
        return self.net(torch.cat([num, *parts], 1)).squeeze(1)


def records(gen, n, levels):
    num = torch.randn(n, 8, generator=gen)
    cat = torch.stack([torch.randint(0, k, (n,), generator=gen) for k in levels], 1)
    y = num[:, 0] * (cat[:, 0] == 1) + 0.5 * num[:, 1] ** 2 + 0.2 * cat[:, 1]
    tail = torch.rand(n, generator=gen).clamp(min=0.02).pow(-0.5) * 0.1
    return num, cat, y + tail


def main(steps=500):
    torch.manual_seed(8)
    gen = torch.Generator().manual_seed(80)
    levels = (3, 5, 7)
    net = Severity(8, levels)
    opt = torch.optim.Adam(net.parameters(), lr=1e-3)
    hard = HardCases(keep=20)
    for step in range(steps):
        num, cat, y = records(gen, 48, levels)
        pred = net(num, cat)
        loss = nn.functional.huber_loss(pred, y)
        opt.zero_grad()
        loss.backward()
        opt.step()
        hard.offer(Case(loss.item(), step, pred, y))
        if step % 80 == 0:
            print(f"step {step} huber {loss.item():.4f} worst {hard.report()}")


if __name__ == "__main__":
    main()
