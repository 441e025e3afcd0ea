import torch
from torch import nn

from profiling import instrumented


class HarmonicDecoder(nn.Module):
    def __init__(self, n_in, n_harm):
        super().__init__()
        self.net = nn.Sequential(nn.Linear(n_in, 64), nn.LayerNorm(64), nn.GELU(), nn.Linear(64, n_harm + 1))

    def forward(self, feats):
        raw = self.net(feats)
        level = torch.sigmoid(raw[:, :1]) * 2
        return level * torch.softmax(raw[:, 1:], -1)


@instrumented
def harmonic_bank(f0, amps, n, sr):
    t = torch.arange(n, device=amps.device) / sr
    k = torch.arange(1, amps.size(1) + 1)
    freqs = f0 * k
    audible = (freqs < sr / 2).float()
    phases = 2 * torch.pi * freqs[:, :, None] * t
    return ((amps * audible)[:, :, None] * torch.sin(phases)).sum(1)


def spectral_distance(a, b, sizes=(128, 256)):
    total = 0.0
    for n_fft in sizes:
        w = torch.hann_window(n_fft)
        A = torch.stft(a, n_fft, n_fft // 4, window=w, return_complex=True).abs()
        B = torch.stft(b, n_fft, n_fft // 4, window=w, return_complex=True).abs()
        total = total + (A - B).abs().mean() + (torch.log1p(A) - torch.log1p(B)).abs().mean()
    return total / len(sizes)
