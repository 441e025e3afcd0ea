import math

import torch
import torch.nn.functional as F
from torch import nn


class Tower(nn.Module):
    def __init__(self, vocab, dim):
        super().__init__()
        self.bag = nn.EmbeddingBag(vocab, dim, mode="mean")
        self.mix = nn.Sequential(nn.LayerNorm(dim), nn.Linear(dim, dim), nn.GELU(), nn.Linear(dim, dim))

    def forward(self, tokens):
        return F.normalize(self.mix(self.bag(tokens)), dim=-1)


class TwoTower(nn.Module):
    def __init__(self, vocab, dim):
        super().__init__()
        self.query = Tower(vocab, dim)
        self.doc = Tower(vocab, dim)
        self.log_scale = nn.Parameter(torch.tensor(math.log(10.0)))

    def forward(self, queries, docs):
        return self.log_scale.exp() * self.query(queries) @ self.doc(docs).t()

    @staticmethod
    def in_batch_loss(scores):
        target = torch.arange(len(scores))
        return 0.5 * (F.cross_entropy(scores, target) + F.cross_entropy(scores.t(), target))
