import torch
from torch import nn
import torch.nn.functional as F


class Tower(nn.Module):
    def __init__(self, n, dim):
        super().__init__()
        self.table = nn.Embedding(n, dim)
        self.mlp = nn.Sequential(nn.Linear(dim, 2 * dim), nn.ReLU(), nn.Linear(2 * dim, dim))

    def forward(self, ids):
        raw = self.table(ids)
        return F.normalize(self.mlp(raw), dim=-1), raw


class TwoTower(nn.Module):
    def __init__(self, cfg):
        super().__init__()
        self.user = Tower(cfg.n_users, cfg.dim)
        self.item = Tower(cfg.n_items, cfg.dim)
        self.temperature = cfg.temperature

    def forward(self, users, items):
        u, u_raw = self.user(users)
        i, i_raw = self.item(items)
        logits = u @ i.T / self.temperature
        penalty = u_raw.pow(2).mean() + i_raw.pow(2).mean()
        return logits, penalty
