import torch
from torch import nn

import state


class PackCell(nn.Module):
    """Slow tanh cell with a read-out."""

    def __init__(self, inputs, hidden, blend=0.3):
        super().__init__()
        self.blend = blend
        self.inp = nn.Linear(inputs, hidden)
        self.rec = nn.Linear(hidden, hidden, bias=False)
        self.out = nn.Linear(hidden, 1)
        nn.init.orthogonal_(self.rec.weight, gain=0.8)

    def forward(self, x):
        h = state.current()
        h = (1 - self.blend) * h + self.blend * torch.tanh(self.inp(x) + self.rec(h))
        state.advance(h)  # <- culprit
        return torch.sigmoid(self.out(h))
