import torch
import torch.nn.functional as F
from torch import nn


class AdditiveMargin(nn.Module):
    def __init__(self, n_classes, dim, margin, scale):
        super().__init__()
        self.prototypes = nn.Parameter(torch.randn(n_classes, dim) * 0.1)
        self.margin, self.scale = margin, scale

    def forward(self, emb, target):
        cos = emb @ F.normalize(self.prototypes, dim=1).t()
        cos = cos - self.margin * F.one_hot(target, cos.size(1))
        return F.cross_entropy(self.scale * cos, target)
