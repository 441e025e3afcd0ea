from dataclasses import dataclass, replace

import torch
from torch import nn


@dataclass(frozen=True)
class Carry:
    h: torch.Tensor
    c: torch.Tensor

    @classmethod
    def zeros(cls, n, width):
        return cls(torch.zeros(n, width), torch.zeros(n, width))

    def detached(self):
        return replace(self, h=self.h.detach())  # <- culprit


class DynamicsModel(nn.Module):
    def __init__(self, obs, act, width):
        super().__init__()
        self.width = width
        self.inp = nn.Sequential(nn.Linear(obs + act, width), nn.ELU())
        self.core = nn.LSTMCell(width, width)
        self.delta = nn.Linear(width, obs)

    def forward(self, obs, act, carry):
        preds = []
        h, c = carry.h, carry.c
        for t in range(act.size(0)):
            h, c = self.core(self.inp(torch.cat([obs[t], act[t]], -1)), (h, c))
            preds.append(obs[t] + self.delta(h))
        return torch.stack(preds), Carry(h, c)
