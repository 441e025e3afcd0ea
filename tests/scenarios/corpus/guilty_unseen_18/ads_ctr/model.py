import torch
from torch import nn


class CrossLayer(nn.Module):
    def __init__(self, width):
        super().__init__()
        self.lin = nn.Linear(width, width)

    def forward(self, x0, x):
        return x0 * self.lin(x) + x


class CrossRanker(nn.Module):
    def __init__(self, vocabs, dim):
        super().__init__()
        self.tables = nn.ModuleList(nn.Embedding(v, dim) for v in vocabs)
        for t in self.tables:
            nn.init.normal_(t.weight, std=0.05)
        width = dim * len(vocabs)
        self.cross = CrossLayer(width)
        self.tower = nn.Sequential(nn.Linear(width, 32), nn.ReLU(), nn.Linear(32, 1))

    def forward(self, ids):
        x0 = torch.cat([t(ids[:, k]) for k, t in enumerate(self.tables)], dim=1)
        return self.tower(self.cross(x0, x0)).squeeze(-1)
