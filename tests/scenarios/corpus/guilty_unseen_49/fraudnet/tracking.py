"""Thin proxy that lets dashboards look at a model's scores."""
from typing import List, NamedTuple

import torch


class ScoreStats(NamedTuple):
    mean: torch.Tensor
    spread: torch.Tensor
    rows: int


class Monitored:
    def __init__(self, module) -> None:
        self.module = module
        self.stats: List[ScoreStats] = []

    def __getattr__(self, name):
        return getattr(self.__dict__["module"], name)

    def __call__(self, *args, **kwargs):
        scores = self.module(*args, **kwargs)
        if self.module.training:
            self._observe(torch.sigmoid(scores))  # <- culprit
        return scores

    def _observe(self, probs) -> None:
        entry = ScoreStats(probs.mean(), probs.std(), len(probs))  # <- culprit
        self.stats.append(entry)  # <- culprit

    def summary(self, n: int = 10):
        def avg(part):
            return sum(s.mean.item() for s in part) / len(part)
        return avg(self.stats[:n]), avg(self.stats[-n:])
