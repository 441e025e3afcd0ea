from dataclasses import dataclass

import torch
from torch import nn


@dataclass
class Storage:
    quick: torch.Tensor
    slow: torch.Tensor

    @classmethod
    def empty(cls, n_cells):
        return cls(torch.zeros(n_cells), torch.zeros(n_cells))

    def total(self):
        return (self.quick + self.slow).sum().item()


class TwoBucket(nn.Module):
    def __init__(self, n_cells, n_forcing):
        super().__init__()
        self.n_cells = n_cells
        self.split = nn.Linear(n_forcing, 1)
        self.raw_quick = nn.Parameter(torch.zeros(n_cells))
        self.raw_slow = nn.Parameter(torch.full((n_cells,), -2.0))

    def rates(self):
        return torch.sigmoid(self.raw_quick), torch.sigmoid(self.raw_slow)

    def forward(self, forcing, storage):
        k_quick, k_slow = self.rates()
        flow = []
        quick, slow = storage.quick, storage.slow
        for day in forcing:
            share = torch.sigmoid(self.split(day)).squeeze(-1)
            rain = day[:, 0]
            out_q, out_s = k_quick * quick, k_slow * slow
            quick = quick - out_q + rain * share
            slow = slow - out_s + rain * (1 - share)
            flow.append((out_q + out_s).mean())
        return torch.stack(flow), Storage(quick, slow)  # <- culprit
