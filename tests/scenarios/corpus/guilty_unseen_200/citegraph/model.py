import torch
from torch import nn
import torch.nn.functional as F


class EdgeWeights(nn.Module):
    """One learned positive weight for each edge."""

    def __init__(self, count):
        super().__init__()
        self.raw = nn.Parameter(torch.zeros(count))

    def forward(self):
        return F.softplus(self.raw)


def symmetric(edges, weight, n):
    a = torch.zeros(n, n)
    a = a.index_put((edges[0], edges[1]), weight)
    a = a + a.t() + torch.eye(n)
    d = a.sum(1).rsqrt()
    return d[:, None] * a * d[None]


class GCN(nn.Module):
    def __init__(self, d_in, hidden, classes):
        super().__init__()
        self.l1 = nn.Linear(d_in, hidden)
        self.l2 = nn.Linear(hidden, classes)

    def forward(self, x, adj):
        h = F.relu(adj @ self.l1(x))
        h = F.dropout(h, 0.2, self.training)
        return F.log_softmax(adj @ self.l2(h), 1)
