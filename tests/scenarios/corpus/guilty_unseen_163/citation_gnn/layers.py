import torch
from torch import nn


class WarmPropagation(nn.Module):
    """Personalised PageRank smoothing that starts at the last step's solution instead of at H."""

    def __init__(self, adj, alpha=0.15, n_iter=2):
        super().__init__()
        self.register_buffer("adj", adj)
        self.alpha = alpha
        self.n_iter = n_iter
        self.cached = None

    def forward(self, h):
        z = h if self.cached is None else self.cached  # <- culprit
        for _ in range(self.n_iter):
            z = (1 - self.alpha) * (self.adj @ z) + self.alpha * h
        self.cached = z  # <- culprit
        return z


class WarmAPPNP(nn.Module):
    def __init__(self, n_feat, n_class, adj):
        super().__init__()
        self.lin = nn.Linear(n_feat, n_class)
        self.prop = WarmPropagation(adj)

    def forward(self, x):
        return self.prop(self.lin(x))
