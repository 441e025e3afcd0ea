from dataclasses import dataclass, field
from typing import List

import torch


@dataclass
class Step:
    logp: torch.Tensor
    value: torch.Tensor
    entropy: torch.Tensor
    reward: float


@dataclass
class Episode:
    steps: List[Step] = field(default_factory=list)

    def add(self, dist, action, value, reward):
        self.steps.append(Step(dist.log_prob(action), value, dist.entropy(), reward))

    def column(self, name):
        return torch.stack([getattr(s, name) for s in self.steps])

    @property
    def score(self):
        return sum(s.reward for s in self.steps)


class History:
    """What has been played so far, for the progress report."""

    def __init__(self):
        self.episodes: List[Episode] = []

    def record(self, ep):
        self.episodes.append(ep)  # <- culprit

    def summary(self, last):
        eps = self.episodes[-last:]
        return {
            "score": sum(e.score for e in eps) / len(eps),
            "best": max(e.score for e in self.episodes),
            "entropy": sum(e.column("entropy").mean().item() for e in eps) / len(eps),
            "v0": sum(e.steps[0].value.item() for e in eps) / len(eps),
        }
