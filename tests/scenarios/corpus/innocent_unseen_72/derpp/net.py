import torch
import torch.nn as nn


class GrowingNet(nn.Module):
    def __init__(self, dim, hidden):
        super().__init__()
        self.body = nn.Sequential(nn.Linear(dim, hidden), nn.ReLU(), nn.Linear(hidden, hidden), nn.ReLU())
        self.hidden = hidden
        self.heads = nn.ModuleList()

    def grow(self, n):
        head = nn.Linear(self.hidden, n)
        self.heads.append(head)
        return list(head.parameters())

    def forward(self, x):
        f = self.body(x)
        return torch.cat([h(f) for h in self.heads], dim=1), f
