import torch
from torch import nn
import torch.nn.functional as F

from .profiling import profiled


class PairRanker(nn.Module):
    def __init__(self, users, items, dim=12):
        super().__init__()
        self.users = nn.Embedding(users, dim)
        self.items = nn.Embedding(items, dim)
        self.bias = nn.Embedding(items, 1)
        for table in (self.users, self.items):
            nn.init.normal_(table.weight, std=0.1)

    @profiled("score")
    def score(self, u, i):
        return (self.users(u) * self.items(i)).sum(-1) + self.bias(i).squeeze(-1)

    def forward(self, u, pos, neg):
        return F.softplus(self.score(u, neg) - self.score(u, pos)).mean()

    @torch.no_grad()
    def hit_rate(self, u, pos, neg):
        diff = (self.users(u) * (self.items(pos) - self.items(neg))).sum(-1)
        return (diff > 0).float().mean().item()
