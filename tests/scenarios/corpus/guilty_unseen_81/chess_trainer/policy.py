import torch
from torch import nn


class MovePolicy(nn.Module):
    """Scores the 64 target squares."""

    def __init__(self, planes=3, width=12):
        super().__init__()
        self.inp = nn.Conv2d(planes, width, 3, padding=1)
        self.res = nn.ModuleList(nn.Conv2d(width, width, 3, padding=1) for _ in range(2))
        self.head = nn.Conv2d(width, 1, 1)

    def forward(self, boards):
        h = torch.relu(self.inp(boards))
        for conv in self.res:
            h = h + torch.relu(conv(h))
        return self.head(h).flatten(1)
