"""Synthetic click log: a few categorical slots, a few dense counters, a label."""
from dataclasses import dataclass
from typing import Iterator

import torch


@dataclass
class ClickBatch:
    dense: torch.Tensor
    cats: torch.Tensor
    label: torch.Tensor

    def __len__(self) -> int:
        return self.label.shape[0]


class ClickLog:
    def __init__(self, slots: list[int], n_dense: int, batch_size: int, seed: int):
        self.slots = slots
        self.n_dense = n_dense
        self.batch_size = batch_size
        self.gen = torch.Generator().manual_seed(seed)
        self.w_dense = torch.randn(n_dense, generator=self.gen) * 0.6
        self.w_cat = [torch.randn(n, generator=self.gen) * 0.5 for n in slots]

    def batches(self, n: int) -> Iterator[ClickBatch]:
        for _ in range(n):
            dense = torch.randn(self.batch_size, self.n_dense, generator=self.gen)
            cats = torch.stack(
                [torch.randint(0, k, (self.batch_size,), generator=self.gen) for k in self.slots], dim=1
            )
            z = dense @ self.w_dense - 1.2
            for s, w in enumerate(self.w_cat):
                z = z + w[cats[:, s]]
            label = (torch.rand(self.batch_size, generator=self.gen) < torch.sigmoid(z)).float()
            yield ClickBatch(dense, cats, label)
