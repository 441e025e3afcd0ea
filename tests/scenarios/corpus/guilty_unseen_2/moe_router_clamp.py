# gradwatch-corpus: kind=inplace-modified
# first-bad: 40
"""Mixture of experts. From step 40 on, weak gates are cut (capacity schedule)."""
import dataclasses

import torch
import torch.nn as nn


@dataclasses.dataclass
class Opts:
    experts: int = 4
    dim: int = 12
    cut_after: int = 40
    floor: float = 0.1
    steps: int = 140


class MoE(nn.Module):
    def __init__(self, o: Opts):
        super().__init__()
        self.o = o
        self.router = nn.Linear(o.dim, o.experts)
        self.experts = nn.ModuleList(nn.Sequential(nn.Linear(o.dim, 16), nn.ReLU(), nn.Linear(16, 1)) for _ in range(o.experts))
        self.ticks = 0

    def gate(self, x):
        g = torch.softmax(self.router(x), dim=-1)
        if self.training and self.ticks >= self.o.cut_after:
            g[g < self.o.floor] = 0.0  # <- culprit
        return g

    def forward(self, x):
        g = self.gate(x)
        y = torch.cat([e(x) for e in self.experts], dim=-1)
        self.ticks += self.training
        return (g * y).sum(-1), g


if __name__ == "__main__":
    torch.manual_seed(40)
    o = Opts()
    model = MoE(o)
    opt = torch.optim.Adam(model.parameters(), lr=5e-3)
    for step in range(o.steps):
        x = torch.randn(64, o.dim)
        y = torch.where(x[:, 0] > 0, x[:, 1], -x[:, 2]).abs()
        pred, g = model(x)
        balance = g.mean(0).pow(2).sum() * o.experts
        loss = (pred - y).pow(2).mean() + 0.01 * balance
        opt.zero_grad()
        loss.backward()
        opt.step()
        if step % 20 == 0:
            print(step, f"{loss.item():.4f}", [round(v, 2) for v in g.mean(0).tolist()])
