import math

import torch


class RingLoader:
    """Points on a noisy circle, lifted to 16 dimensions by a fixed random map."""

    def __init__(self, batch_size, batches, dim=16):
        self.bs, self.n = batch_size, batches
        self.lift = torch.randn(2, dim)

    def __len__(self):
        return self.n

    def __iter__(self):
        for _ in range(self.n):
            t = 2 * math.pi * torch.rand(self.bs)
            xy = torch.stack([t.cos(), t.sin()], 1)
            yield torch.tanh(xy @ self.lift) + 0.05 * torch.randn(self.bs, self.lift.size(1))
