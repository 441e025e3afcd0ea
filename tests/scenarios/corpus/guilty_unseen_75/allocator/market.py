from typing import Iterator, NamedTuple

import torch
from torch import Tensor


class Period(NamedTuple):
    features: Tensor   # (scenarios, assets, characteristics)
    returns: Tensor    # (scenarios, assets)


class FactorMarket:
    characteristics = 4

    def __init__(self, assets: int, seed: int) -> None:
        self.assets = assets
        self.gen = torch.Generator().manual_seed(seed)
        self.premia = torch.tensor([0.012, -0.004, 0.008, 0.0])

    def periods(self, n: int) -> Iterator[Period]:
        for _ in range(n):
            x = torch.randn(16, self.assets, self.characteristics, generator=self.gen)
            noise = 0.03 * torch.randn(16, self.assets, generator=self.gen)
            shock = 0.02 * torch.randn((), generator=self.gen)
            yield Period(x, (x @ self.premia + noise + shock).clamp(-0.5, 0.5))
