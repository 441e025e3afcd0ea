# gradwatch-corpus: kind=none
"""Leaf shapes: softmax with a centre loss, moving class centres, and a pool of recent losses that
is walked in one go every few batches."""
import statistics
from collections import deque

import torch
import torch.nn as nn
import torch.nn.functional as F


class Leaves:
    def __init__(self, species=6, angles=32):
        self.species = species
        self.theta = torch.linspace(0, 6.2832, angles)
        self.lobes = torch.arange(species) + 2

    def batch(self, n):
        y = torch.randint(0, self.species, (n,))
        turn = 0.3 * torch.randn(n, 1)
        r = 1 + 0.4 * torch.cos(self.lobes[y].unsqueeze(1) * (self.theta + turn))
        return r + 0.1 * torch.randn_like(r), y


class Centres(nn.Module):
    """One moving centre per species; they are moved only when told to."""

    def __init__(self, species, dim, rate=0.2):
        super().__init__()
        self.rate = rate
        self.register_buffer("points", torch.zeros(species, dim))
        self.waiting = []

    def forward(self, emb, y):
        self.waiting.append((emb.detach(), y))
        return (emb - self.points[y]).pow(2).sum(1).mean()

    @torch.no_grad()
    def settle(self):
        for emb, y in self.waiting:
            for k in y.unique():
                self.points[k] += self.rate * (emb[y == k].mean(0) - self.points[k])
        self.waiting.clear()


class LeafNet(nn.Module):
    def __init__(self, angles, dim, species):
        super().__init__()
        self.embed = nn.Sequential(nn.Linear(angles, 48), nn.ReLU(), nn.Linear(48, dim))
        self.prototypes = nn.Parameter(torch.randn(species, dim))

    def forward(self, x):
        emb = self.embed(x)
        return emb, F.normalize(emb, dim=1) @ F.normalize(self.prototypes, dim=1).t() * 8.0


class PooledBackward:
    """Gathers the losses of a few batches, then backs through their mean and steps."""

    def __init__(self, opt, size):
        self.opt, self.size, self.pool = opt, size, []
        self.listeners = []

    def add(self, loss):
        self.pool.append(loss)
        if len(self.pool) < self.size:
            return None
        total = torch.stack(self.pool).mean()
        self.opt.zero_grad()
        total.backward()
        self.opt.step()
        self.pool.clear()
        for tell in self.listeners:
            tell()
        return total.item()


class Plateau:
    def __init__(self, opt, patience=30):
        self.opt, self.recent = opt, deque(maxlen=patience)
        self.best = float("inf")

    def look(self, value):
        self.recent.append(value)
        now = statistics.fmean(self.recent)
        if len(self.recent) == self.recent.maxlen and now > self.best:
            for group in self.opt.param_groups:
                group["lr"] *= 0.5
            self.recent.clear()
        self.best = min(self.best, now)


def main():
    torch.set_num_threads(1)
    torch.manual_seed(19)
    leaves = Leaves()
    net, centres = LeafNet(32, 8, leaves.species), Centres(leaves.species, 8)
    opt = torch.optim.SGD(net.parameters(), lr=0.05, momentum=0.9)
    pooled, plateau = PooledBackward(opt, size=3), Plateau(opt)
    pooled.listeners.append(centres.settle)
    for k in range(300):
        x, y = leaves.batch(24)
        emb, logits = net(x)
        value = pooled.add(F.cross_entropy(logits, y) + 0.02 * centres(emb, y))
        if value is not None:
            plateau.look(value)
        if k % 60 == 59:
            with torch.no_grad():
                x, y = leaves.batch(200)
                right = (net(x)[1].argmax(1) == y).float().mean().item()
            print(f"{k + 1:4d} batches, accuracy {right:.2f}, lr {opt.param_groups[0]['lr']:.4f}")


if __name__ == "__main__":
    main()
