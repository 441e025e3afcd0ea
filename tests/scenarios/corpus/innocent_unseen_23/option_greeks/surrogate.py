from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import torch
from torch import Tensor, nn

from .market import RATE, Contracts


class PriceSurrogate(nn.Module):
    def __init__(self, width: int) -> None:
        super().__init__()
        self.net = nn.Sequential(
            nn.Linear(3, width), nn.Softplus(beta=4), nn.Linear(width, width), nn.Softplus(beta=4),
            nn.Linear(width, 1))

    def value(self, contracts: Contracts) -> Valuation:
        return Valuation(self.net(contracts.inputs).squeeze(-1), contracts)


@dataclass(eq=False)
class Valuation:
    price: Tensor
    contracts: Contracts

    @cached_property
    def slopes(self) -> Tensor:
        (g,) = torch.autograd.grad(self.price.sum(), self.contracts.inputs, create_graph=True)
        return g

    @property
    def delta(self) -> Tensor:
        return self.slopes[:, 0] * torch.exp(-self.contracts.log_moneyness)

    @cached_property
    def curvature(self) -> Tensor:
        (g,) = torch.autograd.grad(self.slopes[:, 0].sum(), self.contracts.inputs, create_graph=True)
        return g[:, 0]

    @property
    def pde_residual(self) -> Tensor:
        half_var = self.contracts.vol**2 / 2
        first, theta = self.slopes[:, 0], self.slopes[:, 1]
        return -theta + half_var * self.curvature + (RATE - half_var) * first - RATE * self.price
