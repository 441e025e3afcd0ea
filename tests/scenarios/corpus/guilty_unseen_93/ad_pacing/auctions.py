from dataclasses import dataclass

import torch


@dataclass
class Slot:
    features: torch.Tensor
    floor: torch.Tensor
    worth: torch.Tensor


class Market:
    """Second-price-like slots with a hidden linear worth."""

    def __init__(self, n_campaigns, n_features, seed):
        self.gen = torch.Generator().manual_seed(seed)
        self.shape = (n_campaigns, n_features)
        self.hidden = torch.randn(n_features, 1, generator=self.gen) * 0.4

    def next_slot(self):
        x = torch.randn(*self.shape, generator=self.gen)
        worth = torch.nn.functional.softplus(x @ self.hidden).squeeze(1)
        floor = torch.rand(self.shape[0], generator=self.gen) * 0.5
        return Slot(x, floor, worth)
