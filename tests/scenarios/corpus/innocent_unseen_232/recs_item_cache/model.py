import torch
from torch import nn
from torch.utils.checkpoint import checkpoint


class RecModel(nn.Module):
    def __init__(self, users, items, dim):
        super().__init__()
        self.user = nn.Embedding(users, dim)
        self.item = nn.Embedding(items, dim)
        self.mix = nn.Sequential(nn.Linear(dim, 48), nn.ReLU(), nn.Linear(48, dim))
        self.memory = None

    def embed_items(self, ids):
        return checkpoint(self.mix, self.item(ids), use_reentrant=False)

    def forward(self, user, item):
        u = self.user(user)
        self.memory = u.detach().mean(0)
        return u, (u * self.embed_items(item)).sum(1)
