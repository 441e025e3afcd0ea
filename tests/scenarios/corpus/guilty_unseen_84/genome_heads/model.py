import torch
from torch import nn


class Trunk(nn.Module):
    def __init__(self, dim=16):
        super().__init__()
        self.motif = nn.Conv1d(4, dim, 5, padding=2)
        self.pool = nn.Conv1d(dim, dim, 7, padding=3)

    def forward(self, x):
        return torch.tanh(self.pool(torch.relu(self.motif(x))))


class Annotator(nn.Module):
    def __init__(self, dim=16):
        super().__init__()
        self.trunk = Trunk(dim)
        self.heads = nn.ModuleDict({"gene": nn.Conv1d(dim, 1, 1), "splice": nn.Conv1d(dim, 1, 1)})

    def forward(self, x):
        h = self.trunk(x)
        return {name: head(h).squeeze(1) for name, head in self.heads.items()}
