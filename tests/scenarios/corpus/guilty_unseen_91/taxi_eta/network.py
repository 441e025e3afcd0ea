import torch
from torch import nn

QUANTILES = (0.1, 0.5, 0.9)


class EtaNet(nn.Module):
    def __init__(self, zones, dim=8):
        super().__init__()
        self.zone = nn.Embedding(zones, dim)
        self.hour = nn.Embedding(24, 4)
        self.head = nn.Sequential(nn.Linear(2 * dim + 4, 32), nn.GELU(), nn.Linear(32, len(QUANTILES)))

    def forward(self, a, b, hour):
        return self.head(torch.cat([self.zone(a), self.zone(b), self.hour(hour)], dim=1))


def pinball(pred, target):
    q = pred.new_tensor(QUANTILES)
    diff = target[:, None] - pred
    return torch.maximum(q * diff, (q - 1) * diff).mean(dim=0)
