"""Differentiable block-rate dynamics processor."""
import torch
from torch import nn


def rms_db(block):
    return 10 * torch.log10(block.square().mean(dim=-1) + 1e-7)


class BlockCompressor(nn.Module):
    def __init__(self, n_channels):
        super().__init__()
        self.raw_release = nn.Parameter(torch.full((n_channels,), 1.0))
        self.threshold = nn.Parameter(torch.full((n_channels,), -20.0))
        self.raw_ratio = nn.Parameter(torch.zeros(n_channels))
        self.makeup = nn.Parameter(torch.zeros(n_channels))
        self.envelope = None

    def reset(self):
        self.envelope = None

    def gain_db(self, block):
        level = rms_db(block)
        release = torch.sigmoid(self.raw_release)
        if self.envelope is None:
            self.envelope = level
        self.envelope = release * self.envelope + (1 - release) * level  # <- culprit
        over = torch.relu(self.envelope - self.threshold)
        slope = torch.sigmoid(self.raw_ratio)
        return self.makeup - slope * over

    def forward(self, block):
        gain = 10 ** (self.gain_db(block) / 20)
        return block * gain[:, None]
