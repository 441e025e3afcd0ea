import torch
from torch import nn


class FadingMemory(nn.Module):
    """One vector for each user: decays with every batch, and takes up the messages of the batch."""

    def __init__(self, n, edge_dim, n_items, dim, keep=0.95):
        super().__init__()
        self.keep = keep
        self.edge = nn.Linear(edge_dim, dim)
        self.item = nn.Embedding(n_items, dim)
        nn.init.normal_(self.item.weight, std=0.2)
        self.n, self.dim = n, dim
        self.reset()

    def reset(self):
        self.state = torch.zeros(self.n, self.dim)

    def message(self, item, feat):
        return torch.tanh(self.edge(feat)) * 0.5 + self.item(item)

    def forward(self, user):
        return self.state[user]

    def write(self, user, msg):
        self.state = (self.keep * self.state).index_add(0, user, 0.3 * msg)  # <- culprit


class LinkPredictor(nn.Module):
    def __init__(self, n_users, n_items, dim, edge_dim):
        super().__init__()
        self.memory = FadingMemory(n_users, edge_dim, n_items, dim)
        self.static = nn.Embedding(n_users, dim)
        self.target = nn.Embedding(n_items, dim)
        self.bias = nn.Embedding(n_items, 1)
        for emb in (self.static, self.target, self.bias):
            nn.init.normal_(emb.weight, std=0.1)

    def score(self, user, item):
        z = self.memory(user) + self.static(user)
        return (z * self.target(item)).sum(-1) + self.bias(item).squeeze(-1)

    def observe(self, user, item, feat):
        self.memory.write(user, self.memory.message(item, feat))
