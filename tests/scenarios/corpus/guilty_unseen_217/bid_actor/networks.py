import torch
from torch import nn


def trunk(n, h=32):
    return nn.Sequential(nn.Linear(n, h), nn.Tanh(), nn.Linear(h, h), nn.Tanh())


class BidPolicy(nn.Module):
    def __init__(self, feats):
        super().__init__()
        self.body, self.out = trunk(feats), nn.Linear(32, 1)

    def forward(self, x):
        return torch.sigmoid(self.out(self.body(x)))


class SpendCritic(nn.Module):
    def __init__(self, feats):
        super().__init__()
        self.body, self.out = trunk(feats + 1), nn.Linear(32, 1)

    def forward(self, x, bid):
        return self.out(self.body(torch.cat([x, bid], 1))).squeeze(1)
