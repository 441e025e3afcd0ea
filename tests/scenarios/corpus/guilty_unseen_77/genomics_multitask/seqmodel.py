import torch
from torch import nn


class Residual(nn.Module):
    def __init__(self, ch, dilation):
        super().__init__()
        self.conv = nn.Conv1d(ch, ch, 3, padding=dilation, dilation=dilation)
        self.norm = nn.GroupNorm(4, ch)

    def forward(self, x):
        return x + torch.relu(self.norm(self.conv(x)))


class MultiAssayModel(nn.Module):
    def __init__(self, channels, heads):
        super().__init__()
        self.trunk = nn.Sequential(
            nn.Conv1d(4, channels, 7, padding=3),
            nn.ReLU(),
            *[Residual(channels, 2 ** i) for i in range(3)],
        )
        self.heads = nn.ModuleDict({k: nn.Conv1d(channels, d, 1) for k, d in heads.items()})

    def features(self, x):
        return self.trunk(x)

    def readout(self, name, z, pooled):
        y = self.heads[name](z)
        return y.amax(dim=2) if pooled else y.squeeze(1)
