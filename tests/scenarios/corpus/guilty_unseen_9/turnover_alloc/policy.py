import torch
from torch import nn


class Allocator(nn.Module):
    """A score per asset, long only, fully invested."""

    def __init__(self, n_assets, n_feat):
        super().__init__()
        self.score = nn.Linear(n_feat, 1, bias=False)
        self.tilt = nn.Parameter(torch.zeros(n_assets))

    def forward(self, feats):
        return torch.softmax(self.score(feats).squeeze(-1) + self.tilt, dim=-1)
