import torch
from torch import nn
from torch.nn import functional as F


class PairEncoder(nn.Module):
    def __init__(self, left, right, width):
        super().__init__()
        self.left = nn.Sequential(nn.Linear(left, 32), nn.SELU(), nn.Linear(32, width))
        self.right = nn.Sequential(nn.Linear(right, 32), nn.SELU(), nn.Linear(32, width))
        self.log_temp = nn.Parameter(torch.tensor(1.5))

    def forward(self, a, b):
        return F.normalize(self.left(a), dim=1), F.normalize(self.right(b), dim=1)


def info_nce(za, zb, log_temp):
    logits = za @ zb.t() * log_temp.exp()
    target = torch.arange(len(za))
    return 0.5 * (F.cross_entropy(logits, target) + F.cross_entropy(logits.t(), target))


def pairs(seed, n=24):
    g = torch.Generator().manual_seed(seed)
    left, right = torch.randn(4, 9, generator=g), torch.randn(4, 14, generator=g)
    while True:
        source = torch.randn(n, 4, generator=g)
        yield (source @ left + 0.2 * torch.randn(n, 9, generator=g),
               source @ right + 0.2 * torch.randn(n, 14, generator=g))
