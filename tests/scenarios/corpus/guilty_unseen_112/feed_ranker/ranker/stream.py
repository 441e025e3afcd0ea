from typing import NamedTuple

import torch


class Batch(NamedTuple):
    number: int
    users: torch.Tensor
    items: torch.Tensor
    slot: torch.Tensor
    clicked: torch.Tensor


class ImpressionStream:
    SLOT_BIAS = torch.tensor([0.6, 0.2, -0.1, -0.5, -0.9])

    def __init__(self, n_users, n_items, seed):
        self.gen = torch.Generator().manual_seed(seed)
        self.taste = torch.randn(n_users, 6, generator=self.gen)
        self.topic = torch.randn(n_items, 6, generator=self.gen)

    def take(self, n, size):
        for k in range(n):
            u = torch.randint(len(self.taste), (size,), generator=self.gen)
            i = torch.randint(len(self.topic), (size,), generator=self.gen)
            s = torch.randint(5, (size,), generator=self.gen)
            logit = (self.taste[u] * self.topic[i]).sum(1) * 0.7 + self.SLOT_BIAS[s] - 0.8
            y = torch.bernoulli(torch.sigmoid(logit), generator=self.gen)
            yield Batch(k, u, i, s, y)
