import copy

import torch
import torch.nn.functional as F
from torch import nn


class SessionEncoder(nn.Module):
    def __init__(self, n_items, dim):
        super().__init__()
        self.items = nn.Embedding(n_items, dim)
        self.attend = nn.Linear(dim, 1)
        self.project = nn.Sequential(nn.Linear(dim, dim), nn.ReLU(), nn.Linear(dim, dim))

    def forward(self, session):
        x = self.items(session)
        weight = self.attend(x).softmax(1)
        return F.normalize(self.project((weight * x).sum(1)), dim=-1)


class MomentumPair(nn.Module):
    def __init__(self, n_items, dim):
        super().__init__()
        self.query = SessionEncoder(n_items, dim)
        self.key = copy.deepcopy(self.query).requires_grad_(False)

    @torch.no_grad()
    def follow(self, momentum):
        for q, k in zip(self.query.parameters(), self.key.parameters()):
            k.mul_(momentum).add_(q, alpha=1 - momentum)
