import torch
from torch import Tensor, nn


class PropertyNet(nn.Module):
    def __init__(self, d: int, hidden: int) -> None:
        super().__init__()
        self.body = nn.Sequential(nn.Linear(d, hidden), nn.SiLU(), nn.Linear(hidden, hidden), nn.SiLU())
        self.out = nn.Linear(hidden, 1)

    def forward(self, x: Tensor) -> Tensor:
        return self.out(self.body(x)).squeeze(-1)
