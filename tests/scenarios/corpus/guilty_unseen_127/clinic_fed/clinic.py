import torch
from torch import nn


def make_net():
    return nn.Sequential(nn.Linear(7, 8), nn.SiLU(), nn.Linear(8, 1))


def cohort(site, n=32):
    features = torch.randn(n, 7) + 0.3 * site
    risk = features[:, 0] - 0.5 * features[:, 3] * (1 + 0.2 * site)
    outcome = (risk + 0.3 * torch.randn(n) > 0.3 * site).float()
    return features, outcome
