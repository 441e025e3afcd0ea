"""Covariance functions on learned features."""
import torch
from torch import nn


class FeatureMap(nn.Module):
    """Small warping network placed before the stationary kernel."""

    def __init__(self, n_in, n_feat=2, width=16):
        super().__init__()
        self.body = nn.Sequential(nn.Linear(n_in, width), nn.Tanh(), nn.Linear(width, n_feat))

    def forward(self, x):
        return self.body(x)


class DeepRBF(nn.Module):
    """exp(-|phi(a) - phi(b)|^2 / 2 l^2), scaled."""

    def __init__(self, n_in):
        super().__init__()
        self.phi = FeatureMap(n_in)
        self.log_len = nn.Parameter(torch.tensor(0.0))
        self.log_amp = nn.Parameter(torch.tensor(0.0))

    def forward(self, a, b):
        fa, fb = self.phi(a), self.phi(b)
        d2 = (fa.square().sum(-1, keepdim=True) + fb.square().sum(-1)
              - 2.0 * fa @ fb.T).clamp(min=0.0)
        return self.log_amp.exp() * torch.exp(-0.5 * d2 / self.log_len.exp().square())
