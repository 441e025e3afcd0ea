import torch
from torch import nn


class PhasePicker(nn.Module):
    """P / S / noise probabilities at every sample of a three-component trace."""

    def __init__(self, channels, width):
        super().__init__()
        self.down = nn.Sequential(nn.Conv1d(channels, width, 5, stride=2, padding=2), nn.GELU())
        self.mix = nn.Sequential(nn.Conv1d(width, width, 3, padding=1), nn.GELU())
        self.up = nn.Sequential(nn.ConvTranspose1d(width, width, 4, stride=2, padding=1), nn.GELU())
        self.out = nn.Conv1d(width, 3, 1)

    def forward(self, trace):
        return self.out(self.up(self.mix(self.down(trace))))

    def stages(self):
        return [list(m.parameters()) for m in (self.down, self.mix, self.up, self.out)]
