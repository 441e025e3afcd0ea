import torch
from torch import nn


class LinkPredictor(nn.Module):
    def __init__(self, d):
        super().__init__()
        self.f = nn.Sequential(nn.Linear(2 * d, 16), nn.ReLU(), nn.Linear(16, 1))

    def score(self, z, a, b):
        return self.f(torch.cat([z[a], z[b]], 1)).squeeze(1)

    def loss(self, z, src, dst, fake):
        pos, neg = self.score(z, src, dst), self.score(z, src, fake)
        return nn.functional.softplus(-pos).mean() + nn.functional.softplus(neg).mean()
