from typing import NamedTuple

import torch
import torch.nn.functional as F
from torch import nn


class State(NamedTuple):
    fast: torch.Tensor
    slow: torch.Tensor

    @classmethod
    def start(cls, rows, fast, slow):
        return cls(torch.zeros(rows, fast), torch.zeros(rows, slow))

    def both(self):
        return torch.cat(self, -1)

    def sealed(self):
        return type(self)(*(part.detach() for part in self))


class World(nn.Module):
    def __init__(self, obs, act, fast, slow):
        super().__init__()
        self.cell = nn.GRUCell(obs + act + slow, fast)
        self.mix = nn.Linear(fast, slow)
        self.rate = nn.Parameter(torch.zeros(slow))
        self.out = nn.Linear(fast + slow, obs)

    def forward(self, state, obs, act):
        nll = F.mse_loss(self.out(state.both()), obs)
        fast = self.cell(torch.cat([obs, act, state.slow], -1), state.fast)
        slow = torch.lerp(state.slow, torch.tanh(self.mix(fast)), torch.sigmoid(self.rate))
        return state._replace(fast=fast, slow=slow), nll
