import torch.nn.functional as F
from torch import nn


class Residual(nn.Module):
    def __init__(self, channels, dilation):
        super().__init__()
        self.conv = nn.Conv1d(channels, channels, 5, padding=2 * dilation, dilation=dilation)
        self.norm = nn.GroupNorm(2, channels)

    def forward(self, x):
        return x + F.relu(self.norm(self.conv(x)))


class ArrivalNet(nn.Module):
    def __init__(self, channels):
        super().__init__()
        self.stem = nn.Conv1d(3, channels, 7, padding=3)
        self.blocks = nn.Sequential(Residual(channels, 1), Residual(channels, 4))
        self.head = nn.Conv1d(channels, 1, 1)

    def forward(self, wave):
        return self.head(self.blocks(F.relu(self.stem(wave)))).squeeze(1)


def pick_loss(logits, onset):
    return F.cross_entropy(logits, onset)
