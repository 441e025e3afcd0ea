import torch
from torch import nn


class BiasedMF(nn.Module):
    def __init__(self, n_users, n_items, rank, mean):
        super().__init__()
        self.user = nn.Embedding(n_users, rank)
        self.item = nn.Embedding(n_items, rank)
        self.user_bias = nn.Parameter(torch.zeros(n_users))
        self.item_bias = nn.Parameter(torch.zeros(n_items))
        self.mean = mean
        for e in (self.user, self.item):
            nn.init.normal_(e.weight, std=0.1)

    def forward(self, u, i):
        return self.mean + self.user_bias[u] + self.item_bias[i] + (self.user(u) * self.item(i)).sum(-1)

    def penalty(self, u, i):
        return self.user(u).square().sum() + self.item(i).square().sum()
