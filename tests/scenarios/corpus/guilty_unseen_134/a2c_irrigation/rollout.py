from dataclasses import dataclass, field
from typing import List

import torch


@dataclass
class Rollout:
    logps: List[torch.Tensor] = field(default_factory=list)
    values: List[torch.Tensor] = field(default_factory=list)
    entropies: List[torch.Tensor] = field(default_factory=list)
    rewards: List[float] = field(default_factory=list)

    def returns(self, gamma):
        acc, out = 0.0, []
        for r in reversed(self.rewards):
            acc = r + gamma * acc
            out.append(acc)
        return torch.tensor(out[::-1])


@dataclass
class EpisodeSummary:
    score: float
    length: int
    uncertainty: torch.Tensor


class Tracker:
    def __init__(self):
        self.episodes: List[EpisodeSummary] = []

    def add(self, summary):
        self.episodes.append(summary)  # <- culprit

    def recent(self, n):
        tail = self.episodes[-n:]
        return sum(e.score for e in tail) / len(tail), sum(float(e.uncertainty) for e in tail) / len(tail)

    def describe(self):
        return "%d episodes, last: %.3f / %.3f" % ((len(self.episodes),) + self.recent(10))
