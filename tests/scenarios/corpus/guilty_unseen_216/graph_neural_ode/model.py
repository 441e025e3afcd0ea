import torch
import torch.nn as nn
import torch.nn.functional as F

from solver import odeint_fixed


class GraphODEFunc(nn.Module):
    """dh/dt = tanh((A - I) h W), A learned from node embeddings."""

    def __init__(self, nodes, channels, rank=6):
        super().__init__()
        self.e1 = nn.Parameter(torch.randn(nodes, rank) * 0.5)
        self.e2 = nn.Parameter(torch.randn(nodes, rank) * 0.5)
        self.weight = nn.Linear(channels, channels)
        self.nfe = 0
        self.adj = F.softmax(F.relu(self.e1 @ self.e2.t()), dim=1)  # <- culprit

    def forward(self, t, h):
        self.nfe += 1
        return torch.tanh(self.weight(self.adj @ h - h))


class GraphODE(nn.Module):
    def __init__(self, nodes, channels, steps, method):
        super().__init__()
        self.enc = nn.Linear(1, channels)
        self.func = GraphODEFunc(nodes, channels)
        self.dec = nn.Linear(channels, 1)
        self.steps, self.method = steps, method

    def forward(self, x0):
        self.func.nfe = 0
        h = self.enc(x0)
        t = torch.linspace(0, 1, self.steps + 1)
        return self.dec(odeint_fixed(self.func, h, t, self.method))
