import math

import torch


class SineTasks:
    def __init__(self, seed=0):
        self.g = torch.Generator().manual_seed(seed)

    def sample(self, n_tasks, k):
        for _ in range(n_tasks):
            amp = 0.5 + 4 * torch.rand(1, generator=self.g)
            phase = math.pi * torch.rand(1, generator=self.g)
            x = torch.rand(2 * k, 1, generator=self.g) * 10 - 5
            y = amp * torch.sin(x + phase)
            yield (x[:k], y[:k]), (x[k:], y[k:])
