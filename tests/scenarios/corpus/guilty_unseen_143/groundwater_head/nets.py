import torch
from torch import nn


class NodeEncoder(nn.Module):
    def __init__(self, width=10):
        super().__init__()
        self.a = nn.Linear(2, width)
        self.b = nn.Linear(width, width)

    def forward(self, mesh):
        h = torch.tanh(self.a(mesh.xy))
        return torch.tanh(self.b(mesh.mix @ h)) + h


class Decoder(nn.Module):
    def __init__(self, width=10):
        super().__init__()
        self.lin = nn.Linear(width, 1)

    def forward(self, feats):
        return self.lin(feats).squeeze(1)
