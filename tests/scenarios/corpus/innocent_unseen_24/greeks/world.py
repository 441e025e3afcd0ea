from dataclasses import dataclass

import torch


@dataclass(frozen=True)
class Paths:
    spot: torch.Tensor
    payoff: torch.Tensor
    pathwise: torch.Tensor


def basket_paths(n_batches, size, n_assets=5, strike=1.0, vol=0.25):
    weights = torch.softmax(torch.arange(n_assets, dtype=torch.float32) / 3, 0)
    for _ in range(n_batches):
        spot = 1.0 + 0.25 * torch.randn(size, n_assets)
        growth = torch.exp(vol * torch.randn(size, n_assets) - 0.5 * vol ** 2)
        basket = (spot * growth) @ weights
        itm = (basket > strike).float()
        yield Paths(spot, (basket - strike).clamp(min=0), itm.unsqueeze(1) * growth * weights)
