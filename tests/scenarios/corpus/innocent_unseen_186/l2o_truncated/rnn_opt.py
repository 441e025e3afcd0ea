from typing import NamedTuple

import torch
from torch import nn


class OptState(NamedTuple):
    w: torch.Tensor
    h: torch.Tensor
    c: torch.Tensor

    @classmethod
    def initial(cls, dim, hidden):
        return cls(torch.zeros(dim), torch.zeros(dim, hidden), torch.zeros(dim, hidden))

    def truncate(self):
        w, h, c = (t.detach() for t in self)
        return OptState(w.requires_grad_(True), h, c)


class RNNOptimizer(nn.Module):
    def __init__(self, hidden=12, scale=0.1):
        super().__init__()
        self.hidden, self.scale = hidden, scale
        self.cell = nn.LSTMCell(2, hidden)
        self.out = nn.Linear(hidden, 1)

    @staticmethod
    def features(g):
        return torch.stack([g.sign() * (g.abs() + 1e-6).log1p(), g.clamp(-1, 1)], -1)

    def forward(self, state, g):
        h, c = self.cell(self.features(g), (state.h, state.c))
        return OptState(state.w + self.scale * self.out(h).squeeze(-1), h, c)
