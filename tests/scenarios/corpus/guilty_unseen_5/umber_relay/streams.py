"""Telemetry of a fleet of arms, served in short chunks, one group of arms at a time."""
import math
from typing import NamedTuple

import torch


class Chunk(NamedTuple):
    group: int
    fresh: bool
    signal: torch.Tensor
    target: torch.Tensor


class Fleet:
    def __init__(self, groups=12, arms=8, span=10, life=40, seed=0):
        self.groups, self.arms, self.span, self.life = groups, arms, span, life
        self.gen = torch.Generator().manual_seed(seed)

    def __iter__(self):
        phase = torch.rand(self.groups, self.arms, 1, generator=self.gen) * 6.28
        rate = 0.1 + 0.2 * torch.rand(self.groups, self.arms, 1, generator=self.gen)
        for turn in range(10 ** 6):
            t = torch.arange(turn * self.span, (turn + 1) * self.span + 1).float()
            for g in range(self.groups):
                torque = torch.sin(rate[g] * t + phase[g])
                angle = torch.cos(rate[g] * t + phase[g] - math.pi / 5)
                noise = 0.1 * torch.randn(torque.shape, generator=self.gen)
                signal = torch.stack([torque + noise, angle], dim=-1)
                yield Chunk(g, turn % self.life == 0, signal[:, :-1], angle[:, 1:])
