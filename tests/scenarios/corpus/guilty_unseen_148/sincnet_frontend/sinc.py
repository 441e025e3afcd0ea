from functools import cached_property

import torch
import torch.nn.functional as F
from torch import nn


def lowpass(cut, n):
    return 2 * cut * torch.sinc(2 * cut * n)


class SincFrontend(nn.Module):
    """Band-pass filters with learnable edges (Ravanelli & Bengio)."""

    def __init__(self, n_filters, kernel, sr):
        super().__init__()
        edges = torch.linspace(60, sr / 2 - 200, n_filters + 1) / sr
        self.low = nn.Parameter(edges[:-1].clone())
        self.band = nn.Parameter(edges.diff())
        n = torch.arange(kernel) - kernel // 2
        self.register_buffer("n", n.float())
        self.register_buffer("window", torch.hamming_window(kernel, periodic=False))

    @cached_property  # <- culprit
    def filters(self):  # <- culprit
        low = self.low.abs()[:, None]
        high = low + self.band.abs()[:, None]
        bank = lowpass(high, self.n) - lowpass(low, self.n)
        return (bank * self.window)[:, None]  # <- culprit

    def forward(self, wave):
        return F.conv1d(wave, self.filters, stride=4)  # <- culprit


class SincClassifier(nn.Module):
    def __init__(self, n_filters, kernel, sr, n_classes):
        super().__init__()
        self.frontend = SincFrontend(n_filters, kernel, sr)
        self.norm = nn.BatchNorm1d(n_filters)
        self.conv = nn.Conv1d(n_filters, 16, 5, stride=2)
        self.head = nn.Linear(16, n_classes)

    def forward(self, wave):
        h = self.norm(self.frontend(wave).abs())
        h = F.leaky_relu(self.conv(h), 0.2)
        return self.head(h.mean(-1))
