import torch
from torch import nn


class AdaptiveAdjacency(nn.Module):
    """Self-learned adjacency from two node embeddings."""

    def __init__(self, nodes, rank):
        super().__init__()
        self.source = nn.Parameter(torch.randn(nodes, rank))
        self.target = nn.Parameter(torch.randn(rank, nodes))

    def forward(self):
        return torch.softmax(torch.relu(self.source @ self.target), dim=1)


class DiffusionForecaster(nn.Module):
    def __init__(self, hist, horizon, hidden):
        super().__init__()
        self.inp = nn.Linear(hist, hidden)
        self.hops = nn.ModuleList(nn.Linear(hidden, hidden, bias=False) for _ in range(2))
        self.out = nn.Linear(hidden, horizon)

    def forward(self, x, powers):
        h = torch.relu(self.inp(x.transpose(1, 2)))
        mixed = h
        for a, lin in zip(powers, self.hops):
            mixed = mixed + lin(torch.einsum("ij,bjc->bic", a, h))
        return self.out(torch.relu(mixed)).transpose(1, 2)
