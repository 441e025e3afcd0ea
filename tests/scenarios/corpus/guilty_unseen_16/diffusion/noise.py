"""Noise schedule and reproducible noise.

The noise of an iteration depends on nothing but the seed and its number: a resumed run, the other arm of an ablation and
the evaluation of the same iteration all see the same draw.
"""
import functools

import torch


@functools.lru_cache(maxsize=None)  # <- culprit
def noise_for(iteration, shape, seed):  # <- culprit
    gen = torch.Generator().manual_seed(seed * 1_000_003 + iteration)
    return torch.randn(shape, generator=gen)


def steps_for(iteration, batch, levels, seed):
    gen = torch.Generator().manual_seed(seed * 1_000_033 + iteration)
    return torch.randint(levels, (batch,), generator=gen)


class Schedule:
    def __init__(self, levels, start=1e-4, end=0.06):
        betas = torch.linspace(start, end, levels)
        self.alpha_bar = torch.cumprod(1 - betas, dim=0)

    def corrupt(self, x0, t, eps):
        a = self.alpha_bar[t].view(-1, 1, 1, 1)
        return a.sqrt() * x0 + (1 - a).sqrt() * eps
