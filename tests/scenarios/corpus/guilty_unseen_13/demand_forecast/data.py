"""Synthetic weekly-seasonal sales."""
import math
from typing import NamedTuple

import torch


class Batch(NamedTuple):
    past: torch.Tensor
    future: torch.Tensor
    store: torch.Tensor


class DemandStream:
    def __init__(self, stores, history, horizon, batch_size=32, seed=3):
        self.gen = torch.Generator().manual_seed(seed)
        self.base = torch.rand(stores, generator=self.gen) * 2 + 1
        self.stores, self.history, self.horizon = stores, history, horizon
        self.batch_size = batch_size

    def __iter__(self):
        length = self.history + self.horizon
        t = torch.arange(length).float()
        while True:
            store = torch.randint(0, self.stores, (self.batch_size,), generator=self.gen)
            phase = torch.randint(0, 7, (self.batch_size, 1), generator=self.gen)
            week = torch.sin(2 * math.pi * (t + phase) / 7)
            noise = 0.1 * torch.randn(self.batch_size, length, generator=self.gen)
            series = self.base[store].unsqueeze(1) * (1 + 0.3 * week) + noise
            yield Batch(series[:, :self.history], series[:, self.history:], store)
