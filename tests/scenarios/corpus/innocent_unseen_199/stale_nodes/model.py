import torch
from torch import nn


class NodeNet(nn.Module):
    def __init__(self, n_in, dim, classes):
        super().__init__()
        self.lift = nn.Sequential(nn.Linear(n_in, dim), nn.ReLU(), nn.Linear(dim, dim))
        self.out = nn.Sequential(nn.Linear(2 * dim, dim), nn.ReLU(), nn.Linear(dim, classes))

    def forward(self, hidden, around):
        return self.out(torch.cat([hidden, around], -1))
