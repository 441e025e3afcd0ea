from __future__ import annotations

from typing import Iterator, NamedTuple

import torch
from torch import Tensor


class LoanBatch(NamedTuple):
    numeric: Tensor
    sector: Tensor
    balance: Tensor
    defaulted: Tensor


class LoanTape:
    def __init__(self, seed: int) -> None:
        self._gen = torch.Generator().manual_seed(seed)

    def batches(self, size: int, count: int) -> Iterator[LoanBatch]:
        beta = torch.linspace(-1.0, 1.0, 14)
        for _ in range(count):
            x = torch.randn(size, 14, generator=self._gen)
            sector = torch.randint(9, (size,), generator=self._gen)
            balance = torch.rand(size, generator=self._gen) * 9.0 + 1.0
            score = x @ beta + 0.3 * (sector.float() - 4.0) - 1.0
            hit = torch.rand(size, generator=self._gen) < torch.sigmoid(score)
            yield LoanBatch(x, sector, balance, hit.float())
