import torch
from torch import nn


class OrderPolicy(nn.Module):
    """Orders up to a learned level, with a learned spoilage correction."""

    def __init__(self, items):
        super().__init__()
        self.level = nn.Parameter(torch.full((items,), 12.0))
        self.rate_raw = nn.Parameter(torch.zeros(items))
        self.keep_raw = nn.Parameter(torch.full((items,), 2.0))

    def order(self, on_hand):
        return self.rate_raw.sigmoid() * torch.relu(self.level - on_hand)

    @property
    def keep(self):
        return self.keep_raw.sigmoid()
