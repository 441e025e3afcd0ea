from __future__ import annotations

import torch
from torch import Tensor, nn

from cells import LIF


class StreamClassifier(nn.Module):
    def __init__(self, cell: LIF, classes: int) -> None:
        super().__init__()
        self.cell = cell
        self.readout = nn.Linear(cell.inp.out_features, classes)

    def forward(self, events: Tensor) -> tuple[Tensor, Tensor]:
        self.cell.new_window()
        spikes = torch.stack([self.cell(x) for x in events.unbind(1)], dim=1)
        return self.readout(spikes.mean(1)), spikes
