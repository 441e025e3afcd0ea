"""Barlow Twins for short multichannel series."""
import torch
import torch.nn as nn

from mixins import DiagnosticsMixin, ScheduleMixin


class Twins(DiagnosticsMixin, ScheduleMixin, nn.Module):
    def __init__(self, channels=3, width=16, proj=24, lam=0.01):
        super().__init__()
        self.encoder = nn.Sequential(
            nn.Conv1d(channels, width, 5, stride=2), nn.ReLU(),
            nn.Conv1d(width, width, 3, stride=2), nn.ReLU(),
            nn.AdaptiveAvgPool1d(2), nn.Flatten())
        self.projector = nn.Sequential(nn.Linear(2 * width, proj), nn.ReLU(), nn.Linear(proj, proj))
        self.lam = lam
        self.init_diagnostics()

    def embed(self, x):
        z = self.projector(self.encoder(x))
        return (z - z.mean(0)) / (z.std(0) + 1e-4)

    def forward(self, a, b):
        corr = self.embed(a).t() @ self.embed(b) / a.shape[0]
        self.observe(corr)
        eye = torch.eye(corr.shape[0])
        on = ((corr - 1) ** 2 * eye).sum()
        off = (corr ** 2 * (1 - eye)).sum()
        return on + self.lam * off
