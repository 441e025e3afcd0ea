import torch
from torch import nn


class CentredMF(nn.Module):
    def __init__(self, n_users, n_items, k, decay=0.9):
        super().__init__()
        self.U = nn.Embedding(n_users, k)
        self.V = nn.Embedding(n_items, k)
        nn.init.normal_(self.U.weight, std=0.3)
        nn.init.normal_(self.V.weight, std=0.3)
        self.decay = decay
        self.center = torch.zeros(k)

    def forward(self, u, i):
        v = self.V(i)
        if self.training:
            self.center = self.decay * self.center + (1 - self.decay) * v.mean(0)  # <- culprit
        return (self.U(u) * (v - self.center)).sum(-1)
