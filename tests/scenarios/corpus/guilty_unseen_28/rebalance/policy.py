from dataclasses import dataclass

import torch
from torch import Tensor, nn


@dataclass
class Settings:
    n_assets: int = 30
    n_features: int = 5
    days: int = 60
    years: int = 3
    fee: float = 5e-4
    turnover_weight: float = 1e-3
    temperature: float = 2.0
    lr: float = 1e-2
    seed: int = 7


class LinearPolicy(nn.Module):
    def __init__(self, n_features: int, temperature: float) -> None:
        super().__init__()
        self.score = nn.Linear(n_features, 1)
        self.temperature = temperature

    def forward(self, features: Tensor) -> Tensor:
        return torch.softmax(self.score(features).squeeze(-1) / self.temperature, dim=0)


def turnover_penalty(target: Tensor, holdings: Tensor, weight: float) -> Tensor:
    return weight * (target - holdings).pow(2).sum()
