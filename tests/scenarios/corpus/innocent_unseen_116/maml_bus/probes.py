from typing import NamedTuple

import torch


class Episode(NamedTuple):
    support: tuple
    query: tuple


class ProbeTasks:
    def __init__(self, s):
        self.s = s
        self.gen = torch.Generator().manual_seed(s.seed)

    def _episode(self):
        gain, offset, bend = torch.rand(3, generator=self.gen) + torch.tensor([0.5, -0.5, 0.0])
        x = torch.rand(2 * self.s.shots, 1, generator=self.gen) * 4 - 2
        y = gain * x + offset + 0.4 * bend * torch.sin(2 * x)
        k = self.s.shots
        return Episode((x[:k], y[:k]), (x[k:], y[k:]))

    def __iter__(self):
        for _ in range(self.s.outer):
            yield [self._episode() for _ in range(self.s.tasks)]
