import torch
from torch import nn


class Scorer(nn.Module):
    def __init__(self, n_features: int, width: int) -> None:
        super().__init__()
        self.norm = nn.LayerNorm(n_features)
        self.inner = nn.Linear(n_features, width)
        self.out = nn.Linear(width, 1)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return self.out(torch.tanh(self.inner(self.norm(x)))).squeeze(-1)
