"""Fake spectrogram strips: each species sweeps another band of mel bins."""
import torch


def make_clips(n, mels=12, frames=20, species=5):
    label = torch.randint(0, species, (n,))
    spec = 0.4 * torch.randn(n, mels, frames)
    t = torch.arange(frames).float()
    for i, s in enumerate(label.tolist()):
        band = (s * 2 + (t / frames) * 3).long().clamp(max=mels - 1)
        spec[i, band, torch.arange(frames)] += 1.5
    return spec, label
