from __future__ import annotations

import torch
from torch import nn


class ConcreteGate(nn.Module):
    """One learnable gate per channel, softened by the temperature."""

    def __init__(self, width: int) -> None:
        super().__init__()
        self.log_alpha = nn.Parameter(torch.full((width,), 1.5) + 0.3 * torch.randn(width))
        self._soft: dict[float, torch.Tensor] = {}

    def soft(self, tau: float) -> torch.Tensor:
        # forward pass and width penalty both ask for it
        if tau not in self._soft:
            self._soft[tau] = torch.sigmoid(self.log_alpha / tau)  # <- culprit
        return self._soft[tau]

    def forward(self, h: torch.Tensor, tau: float) -> torch.Tensor:
        return h * self.soft(tau)

    def n_open(self, tau: float) -> torch.Tensor:
        return (torch.sigmoid(self.log_alpha.detach() / tau) > 0.5).sum()
