import torch
import torch.nn as nn
import torch.nn.functional as F


class LearnedAdjacency(nn.Module):
    def __init__(self, n, edges):
        super().__init__()
        self.n = n
        self.edges = edges
        self.strength = nn.Parameter(torch.zeros(len(edges)))
        self.A_hat = self.normalise()  # <- culprit

    def normalise(self):
        w = torch.sigmoid(self.strength)
        src = torch.tensor([a for a, _ in self.edges])
        dst = torch.tensor([b for _, b in self.edges])
        A = torch.zeros(self.n, self.n).index_put((src, dst), w)
        A = A + A.t() + torch.eye(self.n)
        d = A.sum(1).rsqrt()
        return d[:, None] * A * d[None, :]

    def forward(self, h):
        return self.A_hat @ h


class MetroGCN(nn.Module):
    def __init__(self, n, edges, nfeat, nhid):
        super().__init__()
        self.graph = LearnedAdjacency(n, edges)
        self.lin1 = nn.Linear(nfeat, nhid)
        self.lin2 = nn.Linear(nhid, 1)

    def forward(self, x):
        h = F.relu(self.graph(self.lin1(x)))
        return self.graph(self.lin2(h))
