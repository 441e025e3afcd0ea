import copy

import torch
from torch import nn
from torch.nn import functional as F


class Encoder(nn.Module):
    def __init__(self, alphabet, length, dim):
        super().__init__()
        self.embed = nn.Embedding(alphabet, 12)
        self.head = nn.Sequential(nn.Linear(12 * length, 64), nn.ReLU(), nn.Linear(64, dim))

    def forward(self, tokens):
        return F.normalize(self.head(self.embed(tokens).flatten(1)), dim=1)


class MomentumPair(nn.Module):
    def __init__(self, alphabet, length, dim, momentum=0.99):
        super().__init__()
        self.query = Encoder(alphabet, length, dim)
        self.key = copy.deepcopy(self.query).requires_grad_(False)
        self.momentum = momentum

    def embed_query(self, x):
        return self.query(x)

    def embed_key(self, x):
        # no parameter of the key network asks for a gradient
        return self.key(x)

    def follow(self):
        for k, q in zip(self.key.parameters(), self.query.parameters()):
            k.data = self.momentum * k.data + (1 - self.momentum) * q.data


class KeyBank:
    def __init__(self, size, dim, temperature=0.1):
        self.keys = F.normalize(torch.randn(size, dim), dim=1)
        self.size, self.temperature = size, temperature

    def logits(self, q, k):
        positive = (q * k).sum(1, keepdim=True)
        negative = q @ self.keys.T
        return torch.cat([positive, negative], 1) / self.temperature

    def enqueue(self, k):
        self.keys = torch.cat([k, self.keys])[:self.size].clone()
