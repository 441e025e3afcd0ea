from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import torch
from torch import Tensor

RATE = 0.02


@dataclass(eq=False)
class Contracts:
    log_moneyness: Tensor
    expiry: Tensor
    vol: Tensor

    @cached_property
    def inputs(self) -> Tensor:
        x = torch.stack([self.log_moneyness, self.expiry, self.vol], dim=-1)
        return x.requires_grad_(True)

    @cached_property
    def d1(self) -> Tensor:
        return (self.log_moneyness + (RATE + self.vol**2 / 2) * self.expiry) / (self.vol * self.expiry.sqrt())

    @cached_property
    def price(self) -> Tensor:
        d2 = self.d1 - self.vol * self.expiry.sqrt()
        phi = torch.special.ndtr
        return self.log_moneyness.exp() * phi(self.d1) - torch.exp(-RATE * self.expiry) * phi(d2)

    @cached_property
    def delta(self) -> Tensor:
        return torch.special.ndtr(self.d1)


class ContractSampler:
    def __init__(self, seed: int) -> None:
        self._gen = torch.Generator().manual_seed(seed)

    def draw(self, n: int) -> Contracts:
        u = torch.rand(3, n, generator=self._gen)
        return Contracts(u[0] - 0.5, 0.1 + 1.9 * u[1], 0.1 + 0.4 * u[2])
