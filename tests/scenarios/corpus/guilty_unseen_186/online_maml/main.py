# gradwatch-corpus: kind=graph-chain
# holder: self.fast | learner.fast | self.fast[k] | learner.fast[k]
# first-bad: 1
"""Online adaptation of a regressor to a drifting sine."""
import math

import torch
import torch.nn.functional as F
from torch import nn

from learner import OnlineLearner


class DriftingSine:
    def __init__(self, seed=12, k=20):
        self.g = torch.Generator().manual_seed(seed)
        self.k = k
        self.phase, self.amp = 0.0, 1.0

    def __next__(self):
        self.phase += 0.01
        self.amp = 1.0 + 0.3 * math.sin(self.phase * 3)
        x = torch.rand(self.k, 1, generator=self.g) * 6 - 3
        y = self.amp * torch.sin(x + self.phase)
        return x, y + 0.02 * torch.randn(y.shape, generator=self.g)


def build():
    return nn.Sequential(nn.Linear(1, 24), nn.Tanh(), nn.Linear(24, 24), nn.Tanh(), nn.Linear(24, 1))


def main(steps=500):
    torch.manual_seed(5)
    learner = OnlineLearner(build(), F.mse_loss, lr=0.05)
    stream = DriftingSine()
    running = None
    for step in range(steps):
        x, y = next(stream)
        before = learner.observe(x, y)
        running = before if running is None else 0.95 * running + 0.05 * before
        if step % 100 == 0:
            print(f"{step:4d} online mse {running:.4f} |w| {learner.weight_norm():.3f}", flush=True)
    print("final", round(running, 4))


if __name__ == "__main__":
    main()
