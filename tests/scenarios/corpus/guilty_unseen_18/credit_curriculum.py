# gradwatch-corpus: kind=graph-held
# holder: self.difficulty | sampler.difficulty | table | self.sampler.difficulty | curriculum.difficulty
# first-bad: 31
"""Default prediction on a tabular credit book with a self-paced curriculum: after a uniform phase, easy accounts are
drawn first and harder ones are let in as the pacing function opens up."""
from __future__ import annotations

import math
from dataclasses import dataclass, field

import torch
import torch.nn as nn
import torch.nn.functional as F


@dataclass
class Book:
    n: int = 3000
    numeric: int = 12
    sectors: int = 15
    seed: int = 5
    x: torch.Tensor = field(init=False)
    sector: torch.Tensor = field(init=False)
    y: torch.Tensor = field(init=False)

    def __post_init__(self):
        g = torch.Generator().manual_seed(self.seed)
        self.x = torch.randn(self.n, self.numeric, generator=g)
        self.sector = torch.randint(0, self.sectors, (self.n,), generator=g)
        shift = torch.randn(self.sectors, generator=g)
        score = self.x[:, 0] - 0.7 * self.x[:, 1] * self.x[:, 2] + shift[self.sector] - 0.5
        self.y = torch.bernoulli(score.sigmoid(), generator=g)

    def rows(self, idx):
        return self.x[idx], self.sector[idx], self.y[idx]


class SelfPacedSampler:
    """Draws account ids with probability falling in their last known loss; the temperature rises with time."""

    def __init__(self, n, batch, uniform_steps, t0=0.2, t1=3.0, horizon=200):
        self.n, self.batch = n, batch
        self.uniform_steps = uniform_steps
        self.t0, self.t1, self.horizon = t0, t1, horizon
        self.difficulty = torch.full((n,), math.log(2.0))
        self.step = 0
        self.gen = torch.Generator().manual_seed(17)

    @property
    def temperature(self):
        frac = min(1.0, max(0, self.step - self.uniform_steps) / self.horizon)
        return self.t0 + frac * (self.t1 - self.t0)

    @property
    def active(self):
        return self.step >= self.uniform_steps

    def draw(self):
        if not self.active:
            return torch.randint(0, self.n, (self.batch,), generator=self.gen)
        with torch.no_grad():
            weights = F.softmax(-self.difficulty / self.temperature, dim=0)
        return torch.multinomial(weights, self.batch, generator=self.gen)

    def feedback(self, idx, losses):
        if self.active:
            table = self.difficulty
            table[idx] = losses  # <- culprit
        self.step += 1


class TabularNet(nn.Module):
    def __init__(self, numeric, sectors):
        super().__init__()
        self.emb = nn.Embedding(sectors, 6)
        self.norm = nn.BatchNorm1d(numeric)
        self.blocks = nn.ModuleList([nn.Linear(numeric + 6, 48), nn.Linear(48, 48)])
        self.out = nn.Linear(48, 1)

    def forward(self, x, sector):
        h = torch.cat([self.norm(x), self.emb(sector)], dim=1)
        for block in self.blocks:
            h = F.silu(block(h))
        return self.out(h)[:, 0]


class Run:
    def __init__(self, steps=260):
        self.steps = steps
        self.book = Book()
        self.sampler = SelfPacedSampler(self.book.n, batch=64, uniform_steps=30)
        self.net = TabularNet(self.book.numeric, self.book.sectors)
        self.opt = torch.optim.RMSprop(self.net.parameters(), lr=1e-3)

    def one_step(self):
        idx = self.sampler.draw()
        x, sector, y = self.book.rows(idx)
        losses = F.binary_cross_entropy_with_logits(self.net(x, sector), y, reduction="none")
        self.opt.zero_grad()
        losses.mean().backward()
        self.opt.step()
        self.sampler.feedback(idx, losses)  # <- culprit
        return losses.detach().mean().item()

    @torch.no_grad()
    def gini(self, rows=600):
        self.net.eval()
        x, s, y = self.book.rows(slice(0, rows))
        p = self.net(x, s)
        self.net.train()
        pos, neg = p[y == 1], p[y == 0]
        auc = (pos[:, None] > neg[None, :]).float().mean()
        return (2 * auc - 1).item()

    def __call__(self):
        smooth = None
        for k in range(self.steps):
            value = self.one_step()
            smooth = value if smooth is None else 0.95 * smooth + 0.05 * value
            if (k + 1) % 65 == 0:
                print(f"[{k + 1}] loss {smooth:.4f} temp {self.sampler.temperature:.2f} gini {self.gini():.3f}")


if __name__ == "__main__":
    torch.manual_seed(1)
    Run()()
