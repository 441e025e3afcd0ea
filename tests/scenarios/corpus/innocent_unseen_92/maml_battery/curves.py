from __future__ import annotations

from typing import NamedTuple

import torch
from torch import Tensor


class Task(NamedTuple):
    support: tuple[Tensor, Tensor]
    query: tuple[Tensor, Tensor]


class DischargeTasks:
    """voltage(t) = v0 - a t - b exp(-c t) with battery-specific constants."""

    def __init__(self, shots: int) -> None:
        self.shots = shots

    def sample(self) -> Task:
        v0, a, b, c = (torch.rand(4) * torch.tensor([0.4, 1.0, 0.5, 4.0]) + torch.tensor([3.6, 0.2, 0.1, 1.0])).unbind()

        def draw() -> tuple[Tensor, Tensor]:
            t = torch.rand(self.shots, 1)
            return t, v0 - a * t - b * torch.exp(-c * t) - 3.2

        return Task(draw(), draw())
