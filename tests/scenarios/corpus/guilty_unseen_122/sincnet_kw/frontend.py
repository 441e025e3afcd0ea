import torch
from torch import nn
import torch.nn.functional as F


class SincBank(nn.Module):
    """Band-pass filters parameterised by their cut-off frequencies (in Hz)."""

    def __init__(self, bands, taps, sr):
        super().__init__()
        self.stride = 4
        edges = torch.linspace(20, sr / 2 - 40, bands + 1)
        self.low_hz = nn.Parameter(edges[:-1].clone())
        self.band_hz = nn.Parameter((edges[1:] - edges[:-1]).clone())
        n = torch.arange(taps) - (taps - 1) / 2
        self.register_buffer("t", n / sr)
        self.register_buffer("window", torch.hamming_window(taps, periodic=False))
        self.kernels = self._design()  # <- culprit

    def _lowpass(self, fc):
        return 2 * fc[:, None] * torch.sinc(2 * fc[:, None] * self.t)

    def _design(self):
        lo = self.low_hz.abs()
        hi = lo + self.band_hz.abs()
        k = (self._lowpass(hi) - self._lowpass(lo)) * self.window
        return (k / k.abs().sum(-1, keepdim=True)).unsqueeze(1)

    def forward(self, wav):
        return F.conv1d(wav, self.kernels, stride=self.stride)
