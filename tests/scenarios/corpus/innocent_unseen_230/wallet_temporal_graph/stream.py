from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import torch
from torch import Tensor


@dataclass(frozen=True)
class Transfers:
    source: Tensor
    target: Tensor
    decoy: Tensor
    attributes: Tensor


@dataclass
class TransferStream:
    wallets: int
    batch: int
    batches: int

    def __iter__(self) -> Iterator[Transfers]:
        half = self.wallets // 2
        for _ in range(self.batches):
            source = torch.randint(0, half, (self.batch,))
            target = half + torch.randperm(half)[: self.batch]
            linked = (source * 7 + 3) % half + half
            mask = torch.rand(self.batch) < 0.5
            unique = torch.unique(torch.where(mask, linked, target))
            n = len(unique)
            decoy = torch.randint(0, self.wallets, (n,))
            attributes = torch.stack([torch.rand(n).log1p(), torch.randn(n)], dim=1)
            yield Transfers(source[:n], unique, decoy, attributes)
