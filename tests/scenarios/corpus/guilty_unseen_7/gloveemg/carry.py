from __future__ import annotations

from dataclasses import dataclass

import torch


@dataclass
class Carry:
    """What travels from one chunk of a recording to the next."""
    hidden: torch.Tensor
    cell: torch.Tensor

    @classmethod
    def fresh(cls, layers: int, rows: int, width: int) -> "Carry":
        return cls(torch.zeros(layers, rows, width), torch.zeros(layers, rows, width))

    @property
    def pair(self):
        return self.hidden, self.cell

    def cut(self) -> "Carry":
        return Carry(self.hidden.detach(), self.cell)  # <- culprit
