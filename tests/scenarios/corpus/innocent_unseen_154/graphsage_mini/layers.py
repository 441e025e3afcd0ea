import torch
import torch.nn as nn
import torch.nn.functional as F


class SageLayer(nn.Module):
    def __init__(self, i, o):
        super().__init__()
        self.lin = nn.Linear(2 * i, o)

    def forward(self, h_self, h_neigh):
        return F.relu(self.lin(torch.cat([h_self, h_neigh.mean(-2)], -1)))


class HistoricalEmbeddings:
    """Last known first-layer embedding of every node (GNNAutoScale style)."""

    def __init__(self, n, dim):
        self.emb = torch.zeros(n, dim)
        self.age = torch.zeros(n, dtype=torch.long)

    def push(self, idx, h):
        self.emb[idx] = h.detach()
        self.age += 1
        self.age[idx] = 0

    def pull(self, idx):
        return self.emb[idx]


class GraphSAGE(nn.Module):
    def __init__(self, n, d, h, c):
        super().__init__()
        self.l1, self.l2, self.cls = SageLayer(d, h), SageLayer(h, h), nn.Linear(h, c)
        self.hist = HistoricalEmbeddings(n, h)

    def forward(self, x, nodes, neigh):
        h = self.l1(x[nodes], x[neigh])
        self.hist.push(nodes, h)
        return self.cls(self.l2(h, self.hist.pull(neigh)))
