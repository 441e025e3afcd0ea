from typing import NamedTuple

import torch
from torch import nn


class Stores(NamedTuple):
    snow: torch.Tensor
    soil: torch.Tensor

    def cut(self):
        return Stores(*(s.detach() for s in self))


class SnowBasin(nn.Module):
    def __init__(self):
        super().__init__()
        self.log_melt = nn.Parameter(torch.tensor(-1.5))
        self.raw_k = nn.Parameter(torch.tensor(-1.0))
        self.log_corr = nn.Parameter(torch.tensor(0.0))
        self.stores = Stores(torch.tensor(0.0), torch.tensor(10.0))

    def forward(self, precip, temp):
        melt_rate = self.log_melt.exp()
        k = torch.sigmoid(self.raw_k)
        corr = self.log_corr.exp()
        snow, soil = self.stores
        flow = []
        for p, t in zip(precip, temp):
            frozen = torch.sigmoid(-t)
            snow = snow + corr * p * frozen
            melt = snow * (1.0 - torch.exp(-melt_rate * t.clamp(min=0.0) / 5.0))
            snow = snow - melt
            soil = soil + corr * p * (1.0 - frozen) + melt
            q = k * soil
            soil = soil - q
            flow.append(q)
        self.stores = Stores(snow, soil)
        return torch.stack(flow)

    def summary(self):
        return {
            "melt": self.log_melt.exp().item(),
            "k": torch.sigmoid(self.raw_k).item(),
            "corr": self.log_corr.exp().item(),
        }
