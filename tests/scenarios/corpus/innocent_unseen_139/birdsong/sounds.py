import torch
from torch import nn


def encoder(mels=10, frames=12, dim=6):
    return nn.Sequential(nn.Conv1d(mels, 8, 3), nn.ReLU(), nn.AdaptiveMaxPool1d(2), nn.Flatten(), nn.Linear(16, dim))


def clips(n, batch=8, mels=10, frames=12):
    for _ in range(n):
        song = torch.randn(batch, mels, 1) * torch.linspace(0, 1, frames)
        yield tuple(song + 0.2 * torch.randn(batch, mels, frames) for _ in range(2))
