import torch
import torch.nn.functional as F
from torch import nn


class ViewEncoder(nn.Module):
    def __init__(self, dim, out):
        super().__init__()
        self.net = nn.Sequential(nn.Linear(dim, 64), nn.GELU(), nn.Linear(64, 64), nn.GELU(), nn.Linear(64, out))

    def forward(self, x):
        return F.normalize(self.net(x), dim=-1)


def info_nce(a, b, tau=0.2):
    logits = a @ b.T / tau
    y = torch.arange(len(a))
    return 0.5 * (F.cross_entropy(logits, y) + F.cross_entropy(logits.T, y))
