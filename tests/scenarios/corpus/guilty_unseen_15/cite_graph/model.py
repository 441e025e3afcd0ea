import torch
import torch.nn.functional as F
from torch import nn


class Propagator(nn.Module):
    """Row-normalised adjacency with one learned strength per edge."""

    def __init__(self, data):
        super().__init__()
        self.n = data.n
        self.register_buffer("src", data.src)
        self.register_buffer("dst", data.dst)
        self.strength = nn.Parameter(torch.zeros(len(data.src)))
        self._prop = None

    def _normalise(self):
        weight = torch.exp(self.strength)
        adj = torch.zeros(self.n, self.n).index_put((self.src, self.dst), weight)
        return adj / adj.sum(1, keepdim=True)

    def matrix(self):
        if self._prop is None:
            self._prop = self._normalise()  # <- culprit
        return self._prop

    def forward(self, h):
        return self.matrix() @ h


class CiteNet(nn.Module):
    def __init__(self, data, hidden):
        super().__init__()
        self.prop = Propagator(data)
        self.lin1 = nn.Linear(data.x.shape[1], hidden)
        self.lin2 = nn.Linear(hidden, int(data.y.max()) + 1)

    def forward(self, x):
        x = F.dropout(x, 0.4, self.training)
        h = F.relu(self.prop(self.lin1(x)))
        h = F.dropout(h, 0.4, self.training)
        return self.prop(self.lin2(h))
