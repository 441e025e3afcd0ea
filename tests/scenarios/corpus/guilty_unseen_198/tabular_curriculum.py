# gradwatch-corpus: kind=graph-held
# holder: self.last_loss | self.last_loss[i] | sampler.last_loss
# first-bad: 1
"""Tabular classifier with a loss-ranked self-paced sampler."""
import argparse
import random

import torch
from torch import nn
import torch.nn.functional as F


class SelfPacedSampler:
    """Draws easy rows first; rows never seen count as easy."""

    def __init__(self, n, seed=0):
        self.n = n
        self.rng = random.Random(seed)
        self.last_loss = [None] * n
        self.pace = 0.3

    def _score(self, i):
        v = self.last_loss[i]
        return -1.0 if v is None else v.item()

    def draw(self, k):
        pool = [self.rng.randrange(self.n) for _ in range(int(k / self.pace))]
        pool.sort(key=self._score)
        return pool[:k]

    def feedback(self, rows, values):
        for i, v in zip(rows, values.unbind()):
            self.last_loss[i] = v  # <- culprit

    def anneal(self):
        self.pace = min(1.0, self.pace * 1.002)

    def coverage(self):
        return sum(v is not None for v in self.last_loss) / self.n


class ResMLP(nn.Module):
    def __init__(self, n_num, cards, d=32, depth=2, n_out=3):
        super().__init__()
        self.emb = nn.ModuleList(nn.Embedding(c, 4) for c in cards)
        self.inp = nn.Linear(n_num + 4 * len(cards), d)
        self.layers = nn.ModuleList(
            nn.Sequential(nn.LayerNorm(d), nn.Linear(d, d), nn.GELU(), nn.Dropout(0.1)) for _ in range(depth)
        )
        self.out = nn.Linear(d, n_out)

    def forward(self, num, cat):
        h = torch.cat([num] + [e(cat[:, j]) for j, e in enumerate(self.emb)], -1)
        h = self.inp(h)
        for layer in self.layers:
            h = h + layer(h)
        return self.out(h)


def make_table(n, seed):
    g = torch.Generator().manual_seed(seed)
    num = torch.randn(n, 10, generator=g)
    cat = torch.stack([torch.randint(c, (n,), generator=g) for c in (5, 9)], 1)
    w = torch.randn(10, 3, generator=g)
    y = (num @ w + 0.3 * cat[:, :1]).argmax(1)
    flip = torch.rand(n, generator=g) < 0.1
    y[flip] = torch.randint(3, (int(flip.sum()),), generator=g)
    return num, cat, y


def run(cfg):
    torch.manual_seed(cfg.seed)
    num, cat, y = make_table(cfg.rows, cfg.seed)
    model = ResMLP(10, (5, 9))
    opt = torch.optim.Adam(model.parameters(), lr=cfg.lr, weight_decay=1e-5)
    sampler = SelfPacedSampler(cfg.rows, cfg.seed)
    for it in range(cfg.iters):
        rows = sampler.draw(cfg.batch)
        logits = model(num[rows], cat[rows])
        per_row = F.cross_entropy(logits, y[rows], reduction="none")
        opt.zero_grad()
        per_row.mean().backward()
        opt.step()
        sampler.feedback(rows, per_row)
        sampler.anneal()
        if (it + 1) % 100 == 0:
            model.eval()
            with torch.no_grad():
                acc = (model(num, cat).argmax(1) == y).float().mean().item()
            model.train()
            print(f"it {it + 1} acc {acc:.3f} pace {sampler.pace:.2f} seen {sampler.coverage():.2f}")


if __name__ == "__main__":
    ap = argparse.ArgumentParser()
    ap.add_argument("--rows", type=int, default=6000)
    ap.add_argument("--iters", type=int, default=420)
    ap.add_argument("--batch", type=int, default=16)
    ap.add_argument("--lr", type=float, default=2e-3)
    ap.add_argument("--seed", type=int, default=1)
    run(ap.parse_args())
