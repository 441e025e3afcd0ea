from __future__ import annotations

from dataclasses import dataclass
from typing import Iterator

import torch


@dataclass
class Task:
    index: int
    perm: torch.Tensor
    centres: torch.Tensor
    gen: torch.Generator

    def draw(self, n: int) -> tuple[torch.Tensor, torch.Tensor]:
        y = torch.randint(0, len(self.centres), (n,), generator=self.gen)
        x = self.centres[y] + 0.8 * torch.randn(n, self.centres.shape[1], generator=self.gen)
        return x[:, self.perm], y

    def batches(self, steps: int, size: int) -> Iterator[tuple[torch.Tensor, torch.Tensor]]:
        for _ in range(steps):
            yield self.draw(size)

    @property
    def test(self) -> tuple[torch.Tensor, torch.Tensor]:
        return self.draw(256)


class PermutedTasks:
    def __init__(self, n_tasks: int, dim: int, classes: int, seed: int):
        self.gen = torch.Generator().manual_seed(seed)
        self.centres = 1.5 * torch.randn(classes, dim, generator=self.gen)
        self.n, self.dim = n_tasks, dim

    def __iter__(self) -> Iterator[Task]:
        for i in range(self.n):
            perm = torch.arange(self.dim) if i == 0 else torch.randperm(self.dim, generator=self.gen)
            yield Task(i, perm, self.centres, self.gen)
