from typing import NamedTuple

import torch


class HardPoint(NamedTuple):
    xt: torch.Tensor
    residual: torch.Tensor


class CollocationPool:
    """Uniform points mixed with those that had the largest residuals."""

    def __init__(self, seed, share=0.25):
        self.gen = torch.Generator().manual_seed(seed)
        self.share = share
        self.hard = []

    def next_batch(self, n):
        k = min(int(n * self.share), len(self.hard))
        fresh = torch.rand(n - k, 2, generator=self.gen)
        if k == 0:
            return fresh
        ranked = sorted(self.hard, key=lambda p: -abs(p.residual.item()))
        return torch.cat([fresh, torch.stack([p.xt for p in ranked[:k]])])

    def report(self, xt, residual):
        worst = int(residual.abs().argmax())
        self.hard.append(HardPoint(xt[worst], residual[worst]))  # <- culprit
