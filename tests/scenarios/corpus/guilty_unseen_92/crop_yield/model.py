from __future__ import annotations

from torch import Tensor, nn


class TwoHeadNet(nn.Module):
    def __init__(self, d: int, hidden: int = 24) -> None:
        super().__init__()
        self.trunk = nn.Sequential(nn.Linear(d, hidden), nn.GELU(), nn.Linear(hidden, hidden), nn.GELU())
        self.yield_head = nn.Linear(hidden, 1)
        self.moisture_head = nn.Sequential(nn.Linear(hidden, 8), nn.Tanh(), nn.Linear(8, 1))

    def forward(self, x: Tensor) -> tuple[Tensor, Tensor]:
        h = self.trunk(x)
        return self.yield_head(h).squeeze(-1), self.moisture_head(h).squeeze(-1)
