"""Anchors: a smoothed copy of the prototypes, that gives stable assignments."""
import torch
import torch.nn as nn
import torch.nn.functional as F


class PrototypeHead(nn.Module):
    def __init__(self, n_protos, dim):
        super().__init__()
        self.weight = nn.Parameter(F.normalize(torch.randn(n_protos, dim), dim=-1))

    def forward(self, z, weight=None):
        return z @ F.normalize(self.weight if weight is None else weight, dim=-1).t()


class AnchorTracker:
    """Follows a head's prototypes with rate `rate`; scores features against the smoothed version."""

    def __init__(self, head, rate=0.05):
        self.head, self.rate = head, rate
        self.anchors = head.weight.detach().clone()

    def scores(self, z):
        return self.head(z, self.anchors)

    def follow(self):
        self.anchors = torch.lerp(self.anchors, self.head.weight, self.rate)  # <- culprit
