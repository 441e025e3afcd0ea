"""Diagonal linear state-space layer with a gated read-out."""
from __future__ import annotations

import torch
from torch import Tensor, nn


class DiagonalSSM(nn.Module):
    def __init__(self, d_in: int, d_state: int) -> None:
        super().__init__()
        self.log_decay = nn.Parameter(torch.linspace(-1.0, 4.0, d_state))
        self.inject = nn.Linear(d_in, d_state)

    def forward(self, x: Tensor, h: Tensor) -> tuple[Tensor, Tensor]:
        decay = torch.sigmoid(self.log_decay)
        drive = (1 - decay) * self.inject(x)
        states = []
        for u in drive.unbind(1):
            h = decay * h + u
            states.append(h)
        return torch.stack(states, 1), h


class Forecaster(nn.Module):
    def __init__(self, sensors: int, width: int) -> None:
        super().__init__()
        self.width = width
        self.ssm = DiagonalSSM(sensors, width)
        self.gate = nn.Linear(width, width)
        self.read = nn.Linear(width, sensors)
        self.skip = nn.Linear(sensors, sensors)

    def initial_state(self, batch: int) -> Tensor:
        return torch.zeros(batch, self.width)

    def forward(self, x: Tensor, state: Tensor) -> tuple[Tensor, Tensor]:
        h, state = self.ssm(x, state)
        return self.read(h * torch.sigmoid(self.gate(h))) + self.skip(x), state
