import torch
import torch.nn.functional as F
from torch import nn


class Head(nn.Module):
    def __init__(self, features):
        super().__init__()
        self.features = features


class SiamHead(Head):
    def __init__(self, features, dim):
        super().__init__(features)
        self.pred = nn.Sequential(nn.Linear(dim, dim // 2), nn.ReLU(), nn.Linear(dim // 2, dim))

    def forward(self, a, b, shift):
        za, zb = self.features(a), self.features(b)
        pa, pb = self.pred(za), self.pred(zb)
        return -0.5 * (F.cosine_similarity(pa, zb.detach()).mean()
                       + F.cosine_similarity(pb, za.detach()).mean())


class JitterHead(Head):
    def __init__(self, features, dim):
        super().__init__(features)
        self.reg = nn.Linear(2 * dim, 3)

    def forward(self, a, b, shift):
        both = (self.features(b) - self.features(a)), self.features(a)
        return F.mse_loss(self.reg(torch.cat(both, -1)), shift)
