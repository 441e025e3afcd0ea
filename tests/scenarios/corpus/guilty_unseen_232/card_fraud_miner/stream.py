from typing import NamedTuple

import torch


class Batch(NamedTuple):
    ids: list
    merchant: torch.Tensor
    numeric: torch.Tensor
    label: torch.Tensor


class TransactionStream:
    n_merchants = 50
    n_numeric = 12

    def __init__(self, batch, seed):
        self.batch = batch
        self.gen = torch.Generator().manual_seed(seed)
        self.risk = torch.randn(self.n_merchants, generator=self.gen)
        self.coef = torch.randn(self.n_numeric, generator=self.gen) * 0.5
        self.next_id = 100000

    def __iter__(self):
        return self

    def __next__(self):
        merchant = torch.randint(0, self.n_merchants, (self.batch,), generator=self.gen)
        numeric = torch.randn(self.batch, self.n_numeric, generator=self.gen)
        p = torch.sigmoid(self.risk[merchant] + numeric @ self.coef - 1.5)
        label = torch.bernoulli(p, generator=self.gen)
        ids = [f"tx{self.next_id + i}" for i in range(self.batch)]
        self.next_id += self.batch
        return Batch(ids, merchant, numeric, label)
