from dataclasses import dataclass

import torch
from torch import nn
from torch.nn import functional as F


@dataclass
class TowerConfig:
    users: int = 300
    items: int = 200
    dim: int = 24
    batch: int = 64
    steps: int = 140
    lr: float = 0.08
    scale: float = 8.0


class Tower(nn.Module):
    def __init__(self, rows, dim):
        super().__init__()
        self.table = nn.Embedding(rows, dim)
        self.proj = nn.Linear(dim, dim)

    def forward(self, ids):
        return F.normalize(self.proj(F.relu(self.table(ids))), dim=-1)


class TwoTower(nn.Module):
    def __init__(self, cfg):
        super().__init__()
        self.user = Tower(cfg.users, cfg.dim)
        self.item = Tower(cfg.items, cfg.dim)
        self.scale = cfg.scale

    def forward(self, users, items):
        return self.scale * self.user(users) @ self.item(items).t()


def interactions(cfg):
    gen = torch.Generator().manual_seed(12)
    for _ in range(cfg.steps):
        users = torch.randint(cfg.users, (cfg.batch,), generator=gen)
        shift = torch.randint(3, (cfg.batch,), generator=gen)
        yield users, (users * 7 + shift) % cfg.items
