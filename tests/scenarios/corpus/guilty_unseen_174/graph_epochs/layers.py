import torch
from torch import nn
from torch.nn import functional as F


class LearnedEdges(nn.Module):
    """Symmetric adjacency with a trainable weight on every known edge."""

    def __init__(self, nodes, pairs):
        super().__init__()
        self.nodes = nodes
        self.register_buffer("pairs", pairs)
        self.logits = nn.Parameter(torch.zeros(pairs.shape[1]))

    def normalised(self):
        w = torch.sigmoid(self.logits)
        adj = torch.eye(self.nodes)
        adj = adj.index_put((self.pairs[0], self.pairs[1]), w, accumulate=True)
        adj = adj.index_put((self.pairs[1], self.pairs[0]), w, accumulate=True)
        d = adj.sum(1).rsqrt()
        return d[:, None] * adj * d[None, :]


class SensorGCN(nn.Module):
    def __init__(self, edges, features, hidden=24):
        super().__init__()
        self.edges = edges
        self.propagation = None
        self.first = nn.Linear(features, hidden)
        self.second = nn.Linear(hidden, 1)

    def forward(self, x):
        h = F.relu(self.propagation @ self.first(x))
        return (self.propagation @ self.second(h)).squeeze(-1)
