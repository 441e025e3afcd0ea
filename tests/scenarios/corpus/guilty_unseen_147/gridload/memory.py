import torch
from torch import nn


class LeakyBank(nn.Module):
    def __init__(self, inputs: int, width: int, leak: float = 0.85) -> None:
        super().__init__()
        self.mix = nn.Linear(inputs, width)
        self.leak = leak
        self.level: torch.Tensor | None = None

    def absorb(self, drivers: torch.Tensor) -> torch.Tensor:
        fresh = self.mix(drivers)
        if self.level is None:
            self.level = torch.zeros_like(fresh)
        self.level = self.leak * self.level + (1 - self.leak) * fresh  # <- culprit
        return self.level
