import torch
from torch import nn


class TremorNet(nn.Module):
    """Tiny 1-D conv net over 3-axis windows."""

    def __init__(self, channels=8):
        super().__init__()
        self.conv = nn.Conv1d(3, channels, 5, stride=2)
        self.mix = nn.Conv1d(channels, channels, 3)
        self.out = nn.Linear(channels, 1)

    def forward(self, x):
        h = torch.tanh(self.conv(x))
        h = torch.tanh(self.mix(h)).mean(-1)
        return self.out(h).squeeze(-1)
