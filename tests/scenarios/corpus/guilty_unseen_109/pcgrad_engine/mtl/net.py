import torch
from torch import nn


class SharedTrunk(nn.Module):
    def __init__(self, d_in, d_hidden, tasks):
        super().__init__()
        self.trunk = nn.Sequential(nn.Linear(d_in, d_hidden), nn.ELU(), nn.Linear(d_hidden, d_hidden), nn.Tanh())
        self.heads = nn.ModuleDict({t: nn.Linear(d_hidden, 1) for t in tasks})

    def forward(self, x):
        h = self.trunk(x)
        return {t: head(h).squeeze(-1) for t, head in self.heads.items()}
