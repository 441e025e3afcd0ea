from collections import namedtuple

import torch

Graph = namedtuple("Graph", "n x y adj")


def ring_graph(n, rings, ring_size, feats):
    adj = (torch.rand(n, n) < 0.02).float()
    y = torch.zeros(n)
    for r in range(rings):
        m = torch.arange(r * ring_size, (r + 1) * ring_size)
        adj[m, m.roll(1)] = 1
        y[m] = 1
    adj = ((adj + adj.t()) > 0).float()
    x = torch.randn(n, feats) + 0.5 * y[:, None]
    return Graph(n, x, y, adj / adj.sum(1, keepdim=True).clamp(min=1))
