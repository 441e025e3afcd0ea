# gradwatch-corpus: kind=inplace-modified
# holder: self.grains | tray.grains | self.tray.grains | bench.tray.grains
# first-bad: 5
"""Contrastive embedding of pollen-grain outlines with a rolling tray of past keys."""
import copy
import math
from dataclasses import dataclass

import torch
from torch import nn
import torch.nn.functional as F


@dataclass
class BenchSettings:
    points: int = 40
    dim: int = 24
    tray_size: int = 512
    batch: int = 32
    contrast_after: int = 5
    temperature: float = 0.2
    slides: int = 120


class OutlineAtlas:
    def __init__(self, points, seed):
        self.rng = torch.Generator().manual_seed(seed)
        self.angle = torch.linspace(0, 2 * math.pi, points)

    def _outline(self, lobes, depth):
        roll = torch.rand(lobes.shape, generator=self.rng) * 2 * math.pi
        wave = torch.cos(lobes * (self.angle + roll))
        return 1 + depth * wave + 0.03 * torch.randn(wave.shape, generator=self.rng)

    def two_views(self, n):
        lobes = torch.randint(2, 8, (n, 1), generator=self.rng).float()
        depth = 0.1 + 0.3 * torch.rand(n, 1, generator=self.rng)
        return self._outline(lobes, depth), self._outline(lobes, depth)


class GrainEncoder(nn.Module):
    def __init__(self, points, dim):
        super().__init__()
        self.conv = nn.Conv1d(1, 16, 7, padding=3, padding_mode="circular")
        self.project = nn.Linear(16, dim)
        self.rebuild = nn.Linear(dim, points)

    def forward(self, outline):
        h = F.relu(self.conv(outline.unsqueeze(1))).mean(-1)
        return F.normalize(self.project(h), dim=-1)


class KeyTray(nn.Module):
    def __init__(self, size, dim):
        super().__init__()
        self.register_buffer("grains", F.normalize(torch.randn(size, dim), dim=-1))
        self.cursor = 0

    def similarity(self, query):
        return query @ self.grains.T  # <- culprit

    @torch.no_grad()
    def deposit(self, keys):
        n = keys.shape[0]
        self.grains[self.cursor:self.cursor + n] = keys  # <- culprit
        self.cursor = (self.cursor + n) % self.grains.shape[0]


class PollenBench:
    def __init__(self, cfg):
        self.cfg = cfg
        self.encoder = GrainEncoder(cfg.points, cfg.dim)
        self.slow = copy.deepcopy(self.encoder).requires_grad_(False)
        self.tray = KeyTray(cfg.tray_size, cfg.dim)
        self.opt = torch.optim.SGD(self.encoder.parameters(), lr=0.05, momentum=0.9)

    def contrast(self, query, keys):
        positive = (query * keys).sum(-1, keepdim=True)
        logits = torch.cat([positive, self.tray.similarity(query)], dim=1) / self.cfg.temperature
        self.tray.deposit(keys)  # <- culprit
        return F.cross_entropy(logits, torch.zeros(len(query), dtype=torch.long))

    @torch.no_grad()
    def follow(self, m=0.98):
        for s, f in zip(self.slow.parameters(), self.encoder.parameters()):
            s.mul_(m).add_(f, alpha=1 - m)

    def slide(self, number, first, second):
        query = self.encoder(first)
        with torch.no_grad():
            keys = self.slow(second)
        loss = F.mse_loss(self.encoder.rebuild(query), first)
        if number >= self.cfg.contrast_after:
            loss = loss + 0.1 * self.contrast(query, keys)
        else:
            self.tray.deposit(keys)
        self.opt.zero_grad()
        loss.backward()
        self.opt.step()
        self.follow()
        return loss.item()


def main():
    torch.manual_seed(18)
    cfg = BenchSettings()
    bench = PollenBench(cfg)
    atlas = OutlineAtlas(cfg.points, seed=18)
    for number in range(cfg.slides):
        loss = bench.slide(number, *atlas.two_views(cfg.batch))
        if number % 4 == 0:
            print(f"slide {number:3d} loss {loss:.4f}")


if __name__ == "__main__":
    main()
