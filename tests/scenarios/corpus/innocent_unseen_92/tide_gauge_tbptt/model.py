from __future__ import annotations

from torch import Tensor, nn


class TideCell(nn.Module):
    def __init__(self, n_in: int, hidden: int) -> None:
        super().__init__()
        self.cell = nn.GRUCell(n_in, hidden)
        self.head = nn.Linear(hidden, 1)

    def forward(self, x: Tensor, h: Tensor) -> tuple[Tensor, Tensor]:
        h = self.cell(x, h)
        return self.head(h).squeeze(-1), h

    def initial(self, batch: int) -> Tensor:
        return self.head.weight.new_zeros(batch, self.cell.hidden_size)
