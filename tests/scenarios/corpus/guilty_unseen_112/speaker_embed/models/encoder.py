import torch
import torch.nn.functional as F
from torch import nn


class FrameEncoder(nn.Module):
    def __init__(self, n_feats, embed):
        super().__init__()
        self.frame = nn.Sequential(nn.Linear(n_feats, 48), nn.ReLU(), nn.Linear(48, 48), nn.ReLU())
        self.attn = nn.Linear(48, 1)
        self.proj = nn.Linear(96, embed)

    def forward(self, x):
        h = self.frame(x)
        w = torch.softmax(self.attn(h), dim=1)
        mean = (w * h).sum(1)
        var = (w * (h - mean.unsqueeze(1)).pow(2)).sum(1)
        return F.normalize(self.proj(torch.cat([mean, (var + 1e-5).sqrt()], 1)), dim=1)
