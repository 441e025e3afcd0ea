import math

import torch


def chirps(batch, gen, sr=8000, seconds=0.5):
    t = torch.arange(int(sr * seconds)) / sr
    f0 = 800 + 1800 * torch.rand(batch, 1, generator=gen)
    sweep = 1500 * (torch.rand(batch, 1, generator=gen) - 0.5)
    trill = 10 + 20 * torch.rand(batch, 1, generator=gen)
    phase = 2 * math.pi * (f0 * t + 0.5 * sweep * t ** 2)
    wave = torch.sin(phase) * (0.5 + 0.5 * torch.sin(2 * math.pi * trill * t))
    return wave + 0.1 * torch.randn(batch, len(t), generator=gen)


def log_spec(wave, n_fft=256, hop=64):
    win = torch.hann_window(n_fft)
    s = torch.stft(wave, n_fft, hop, window=win, return_complex=True).abs()
    return torch.log1p(s[:, :128, :56])
