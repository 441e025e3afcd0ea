import torch
from torch import nn

from screen import FP_BITS, N_EXPR


class DrugTower(nn.Module):
    def __init__(self, fingerprints, dim):
        super().__init__()
        self.register_buffer("fingerprints", fingerprints)
        self.net = nn.Sequential(nn.Linear(FP_BITS, 48), nn.ReLU(), nn.Linear(48, dim))
        self._memo = {}

    def embed_one(self, drug):
        if drug not in self._memo:
            self._memo[drug] = self.net(self.fingerprints[drug])  # <- culprit
        return self._memo[drug]  # <- culprit

    def forward(self, drugs):
        return torch.stack([self.embed_one(d) for d in drugs])


class ResponseModel(nn.Module):
    def __init__(self, fingerprints, dim=16):
        super().__init__()
        self.drug = DrugTower(fingerprints, dim)
        self.line = nn.Sequential(nn.Linear(N_EXPR, 48), nn.ReLU(), nn.Linear(48, dim))
        self.bias = nn.Parameter(torch.zeros(()))

    def forward(self, drugs, expression):
        return self.drug(drugs) @ self.line(expression).t() + self.bias
