"""Memory tokens which travel from segment to segment (Bulatov et al., 2022)."""
import torch
from torch import nn


class SlotMemory(nn.Module):
    """Prepends the slots to a segment and takes them back from the encoder's output."""

    def __init__(self, n_slots: int, dim: int):
        super().__init__()
        self.n_slots = n_slots
        self.initial = nn.Parameter(0.1 * torch.randn(n_slots, dim))
        self.slots = None

    def clear(self):
        self.slots = None

    def read(self, segment: torch.Tensor) -> torch.Tensor:
        slots = self.slots
        if slots is None:
            slots = self.initial.expand(segment.size(0), -1, -1)
        return torch.cat([slots, segment], dim=1)  # <- culprit

    def write(self, encoded: torch.Tensor) -> torch.Tensor:
        self.slots, body = encoded[:, :self.n_slots], encoded[:, self.n_slots:]  # <- culprit
        return body
