"""Band-pass filters given by two learnable edges each."""
import functools

import torch
import torch.nn.functional as F
from torch import nn


def hz_to_mel(f):
    return 2595.0 * torch.log10(1 + f / 700.0)


def mel_to_hz(m):
    return 700.0 * (10 ** (m / 2595.0) - 1)


class SincFrontend(nn.Module):
    def __init__(self, bands, width, rate, f_min=60.0):
        super().__init__()
        self.rate, self.width = rate, width
        edges = mel_to_hz(torch.linspace(
            hz_to_mel(torch.tensor(f_min)).item(), hz_to_mel(torch.tensor(rate / 2.2)).item(), bands + 1))
        self.low = nn.Parameter(edges[:-1] / rate)
        self.band = nn.Parameter((edges[1:] - edges[:-1]) / rate)
        self.register_buffer("n", torch.arange(width) - (width - 1) / 2)
        self.register_buffer("window", torch.hamming_window(width, periodic=False))

    def low_pass(self, cut):
        return 2 * cut[:, None] * torch.sinc(2 * cut[:, None] * self.n)

    @functools.cached_property  # <- culprit
    def filters(self):
        low = self.low.abs()
        high = (low + self.band.abs()).clamp(max=0.5)
        kernel = (self.low_pass(high) - self.low_pass(low)) * self.window
        return kernel / kernel.norm(dim=1, keepdim=True)

    def forward(self, wave):
        y = F.conv1d(wave, self.filters[:, None], stride=4)  # <- culprit
        return torch.log1p(y.abs())
