import torch
from torch import nn


class GraphTower(nn.Module):
    def __init__(self, nodes, dim, hops=2):
        super().__init__()
        self.embed = nn.Embedding(nodes, dim)
        self.mix = nn.ModuleList(nn.Linear(dim, dim) for _ in range(hops))

    def forward(self, adjacency):
        h = self.embed.weight
        for lin in self.mix:
            h = torch.tanh(lin(adjacency @ h)) + h
        return h


class LinkScorer(nn.Module):
    def __init__(self, dim):
        super().__init__()
        self.bilinear = nn.Linear(dim, dim, bias=False)

    def forward(self, table, src, dst):
        return (self.bilinear(table[src]) * table[dst]).sum(-1)
