from __future__ import annotations

from torch import Tensor, nn

from spectral import capped


class QuoteScorer(nn.Module):
    def __init__(self, d: int, hidden: int, cap: float) -> None:
        super().__init__()
        self.layers = nn.Sequential(
            capped(nn.Linear(d, hidden), cap), nn.ELU(),
            capped(nn.Linear(hidden, hidden), cap), nn.ELU(),
            capped(nn.Linear(hidden, 1), cap),
        )

    def forward(self, x: Tensor) -> Tensor:
        return self.layers(x).squeeze(-1)
