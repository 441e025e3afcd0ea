import torch
from torch import nn


class SensorGNN(nn.Module):
    def __init__(self, n, f, h):
        super().__init__()
        self.node_a = nn.Parameter(0.5 * torch.randn(n, 5))
        self.node_b = nn.Parameter(0.5 * torch.randn(n, 5))
        self.lin1 = nn.Linear(f, h)
        self.lin2 = nn.Linear(h, 1)
        self.adj = self.build_adjacency()  # <- culprit

    def build_adjacency(self):
        return torch.softmax(torch.relu(self.node_a @ self.node_b.t()), dim=1)

    def forward(self, x):
        h = torch.relu(torch.einsum("ij,bjf->bif", self.adj, self.lin1(x)))
        return torch.einsum("ij,bjf->bif", self.adj, self.lin2(h)).squeeze(-1)
