import torch
from torch import nn


class SessionCache:
    def __init__(self):
        self.store = {}

    def put(self, ids, vectors):
        self.store.update(zip(ids, vectors))  # <- culprit

    def get(self, ids):
        return torch.stack([self.store[i] for i in ids])


class GRU4Rec(nn.Module):
    def __init__(self, n_items, dim):
        super().__init__()
        self.items = nn.Embedding(n_items, dim)
        self.gru = nn.GRU(dim, dim, batch_first=True)
        self.cache = SessionCache()

    def forward(self, ids, clicks):
        _, h = self.gru(self.items(clicks))
        user = h[-1]
        self.cache.put(ids, user)
        return user @ self.items.weight.t()

    @torch.no_grad()
    def lookup(self, ids):
        return self.cache.get(ids)
