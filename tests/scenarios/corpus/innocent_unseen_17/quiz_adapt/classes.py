from typing import NamedTuple

import torch


class Answers(NamedTuple):
    x: torch.Tensor
    y: torch.Tensor


class Classroom(NamedTuple):
    number: int
    support: Answers
    query: Answers


class ClassroomSource:
    features = 8

    def __init__(self, seed, size=20):
        self.rng = torch.Generator().manual_seed(seed)
        self.size = size
        self.common = torch.randn(self.features, generator=self.rng)
        self.count = 0

    def classroom(self):
        taste = self.common + 0.8 * torch.randn(self.features, generator=self.rng)
        self.count += 1
        return Classroom(self.count, self._answers(taste), self._answers(taste))

    def _answers(self, taste):
        x = torch.randn(self.size, self.features, generator=self.rng)
        p = torch.sigmoid(1.5 * x @ taste)
        return Answers(x, torch.bernoulli(p, generator=self.rng))
