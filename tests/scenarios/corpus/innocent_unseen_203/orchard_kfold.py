# gradwatch-corpus: kind=none
"""Nested k-fold model selection for apple ripeness, all folds in one process."""
import itertools
import statistics

import torch
from torch import nn


def orchard(n, seed):
    g = torch.Generator().manual_seed(seed)
    x = torch.randn(n, 7, generator=g)
    firmness = 0.8 * x[:, 0] - 0.5 * x[:, 1] * x[:, 2] + 0.2 * torch.randn(n, generator=g)
    return x, firmness


def folds(n, k, seed):
    order = torch.randperm(n, generator=torch.Generator().manual_seed(seed))
    parts = order.chunk(k)
    for i in range(k):
        yield torch.cat([p for j, p in enumerate(parts) if j != i]), parts[i]


class Fold:
    def __init__(self, width, lr, dropout):
        self.net = nn.Sequential(nn.Linear(7, width), nn.ELU(), nn.Dropout(dropout), nn.Linear(width, 1))
        self.opt = torch.optim.AdamW(self.net.parameters(), lr=lr)
        self.curve = []
        self.out_of_fold = None

    def fit(self, x, y, steps, batch=48):
        self.net.train()
        for step in range(steps):
            i = torch.randint(0, len(x), (batch,))
            loss = nn.functional.huber_loss(self.net(x[i]).squeeze(1), y[i])
            self.opt.zero_grad()
            loss.backward()
            self.opt.step()
            self.curve.append(loss.item())
        return self

    @torch.no_grad()
    def validate(self, x, y):
        self.net.eval()
        self.out_of_fold = self.net(x).squeeze(1)
        return (self.out_of_fold - y).pow(2).mean().sqrt().item()


def sweep(x, y, k=4, steps=40):
    table, kept = {}, {}
    for width, lr, dropout in itertools.product((8, 24), (3e-3, 1e-2), (0.0, 0.2)):
        runs = []
        for train, valid in folds(len(x), k, seed=4):
            torch.manual_seed(100)
            fold = Fold(width, lr, dropout).fit(x[train], y[train], steps)
            runs.append((fold.validate(x[valid], y[valid]), fold))
        key = (width, lr, dropout)
        table[key] = statistics.mean(score for score, _ in runs)
        kept[key] = [fold for _, fold in runs]
        print(key, f"{table[key]:.4f}")
    best = min(table, key=table.get)
    return best, table[best], kept


def main():
    x, y = orchard(480, 1)
    best, score, kept = sweep(x, y)
    print("best", best, f"{score:.4f}")
    test_x, test_y = orchard(300, 2)
    with torch.no_grad():
        votes = torch.stack([f.net(test_x).squeeze(1) for f in kept[best]])
    print("ensemble rmse", (votes.mean(0) - test_y).pow(2).mean().sqrt().item())


if __name__ == "__main__":
    main()
