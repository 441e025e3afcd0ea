import torch.nn.functional as F
from torch import nn


class SharedFactors(nn.Module):
    """One user table; an item table per objective."""

    def __init__(self, users, items, dim):
        super().__init__()
        self.user = nn.Embedding(users, dim)
        self.clicks = nn.Embedding(items, dim)
        self.dwells = nn.Embedding(items, dim)
        for table in (self.user, self.clicks, self.dwells):
            nn.init.normal_(table.weight, std=0.3)

    def forward(self, user, item):
        u = self.user(user)
        return {"click": (u * self.clicks(item)).sum(-1), "dwell": (u * self.dwells(item)).sum(-1)}


def click_loss(out, batch):
    return F.binary_cross_entropy_with_logits(out["click"], batch["click"])


def dwell_loss(out, batch):
    return F.smooth_l1_loss(out["dwell"], batch["dwell"] / 10)
