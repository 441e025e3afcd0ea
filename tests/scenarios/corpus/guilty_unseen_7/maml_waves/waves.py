import math
import random
from dataclasses import dataclass

import torch


@dataclass(frozen=True)
class Wave:
    amp: float
    phase: float

    def _sample(self, n):
        x = torch.rand(n, 1) * 10 - 5
        return x, self.amp * torch.sin(x + self.phase)

    def support(self):
        return self._sample(10)

    def query(self):
        return self._sample(15)


def stream(seed):
    rng = random.Random(seed)
    while True:
        yield Wave(rng.uniform(0.1, 5.0), rng.uniform(0, math.pi))
