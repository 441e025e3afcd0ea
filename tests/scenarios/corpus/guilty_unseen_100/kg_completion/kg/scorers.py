import torch
from torch import nn

SCORERS = {}


class Scorer(nn.Module):
    def __init_subclass__(cls, **kw):
        SCORERS[cls.__name__.lower()] = cls

    def __init__(self, relations, dim):
        super().__init__()
        self.rel = nn.Embedding(relations, dim)
        self.temperature = 1.0


class DistMult(Scorer):
    def forward(self, h, r, t):
        return (h * self.rel(r) * t).sum(-1) * 4 / self.temperature


class TransE(Scorer):
    def forward(self, h, r, t):
        return -(h + self.rel(r) - t).norm(dim=-1) / self.temperature
