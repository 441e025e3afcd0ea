from dataclasses import dataclass

import torch


@dataclass
class PctrConfig:
    campaigns: int = 120
    ad_features: int = 14
    request_features: int = 10
    dim: int = 16
    lr: float = 1e-3
    refresh_every: int = 8
    steps: int = 100


@dataclass
class Impressions:
    request: torch.Tensor
    campaign: torch.Tensor
    clicked: torch.Tensor

    def __len__(self):
        return self.campaign.numel()
