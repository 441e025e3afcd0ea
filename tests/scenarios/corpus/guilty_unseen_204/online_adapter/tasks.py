from dataclasses import dataclass

import torch


@dataclass
class TaskConfig:
    steps: int = 400
    seed: int = 0
    shots: int = 20
    drift: float = 0.01


class DriftingSine:
    def __init__(self, config):
        self.config = config
        self.gen = torch.Generator().manual_seed(config.seed)

    def _sample(self, phase):
        x = torch.rand(self.config.shots, 1, generator=self.gen) * 4 - 2
        return x, torch.sin(2 * x + phase)

    def __iter__(self):
        phase = 0.0
        for _ in range(self.config.steps):
            yield self._sample(phase), self._sample(phase)
            phase += self.config.drift
