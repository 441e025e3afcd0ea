import torch
from torch import nn


class TwoTower(nn.Module):
    def __init__(self, cfg):
        super().__init__()
        self.users = nn.Embedding(cfg.n_users, cfg.dim)
        self.items = nn.Embedding(cfg.n_items, cfg.dim)
        self.item_bias = nn.Embedding(cfg.n_items, 1)
        self.project = nn.Linear(cfg.dim, cfg.dim)
        nn.init.zeros_(self.item_bias.weight)

    def score(self, user, item):
        taste = torch.tanh(self.project(self.users(user)))
        match = (taste * self.items(item)).sum(-1)
        return match + self.item_bias(item).squeeze(-1)
