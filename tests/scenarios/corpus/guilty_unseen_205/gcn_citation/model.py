import torch
import torch.nn as nn
import torch.nn.functional as F


def synthetic_citation(n=200, classes=4, dim=32, seed=3):
    g = torch.Generator().manual_seed(seed)
    y = torch.randint(0, classes, (n,), generator=g)
    centers = torch.randn(classes, dim, generator=g)
    x = centers[y] + 1.5 * torch.randn(n, dim, generator=g)
    prob = torch.where(y[:, None] == y[None], 0.06, 0.01)
    adj = (torch.rand(n, n, generator=g) < prob).float().triu(1)
    adj = adj + adj.t() + torch.eye(n)
    d = adj.sum(1).rsqrt()
    return x, y, d[:, None] * adj * d[None]


class GCN(nn.Module):
    def __init__(self, in_dim, hidden, classes, p=0.4):
        super().__init__()
        self.lin1 = nn.Linear(in_dim, hidden)
        self.lin2 = nn.Linear(hidden, classes)
        self.p = p

    def forward(self, x, adj):
        h = F.relu(adj @ self.lin1(F.dropout(x, self.p, self.training)))
        return adj @ self.lin2(F.dropout(h, self.p, self.training))
