from typing import Optional, Tuple

import torch
from torch import nn


class BeliefController(nn.Module):
    """Keeps a belief for each junction between cycles, since loops only count what passes over them."""

    def __init__(self, sensors: int, hidden: int, phases: int):
        super().__init__()
        self.cell = nn.RNNCell(sensors, hidden)
        self.pressure = nn.Linear(hidden, phases)
        self.split = nn.Linear(hidden, phases)
        self._belief: Optional[torch.Tensor] = None

    def reset(self) -> None:
        self._belief = None

    def advance(self, detectors: torch.Tensor) -> Tuple[torch.Tensor, torch.Tensor]:
        self._belief = self.cell(detectors, self._belief)  # <- culprit
        return self.pressure(self._belief), torch.softmax(self.split(self._belief), dim=1)
