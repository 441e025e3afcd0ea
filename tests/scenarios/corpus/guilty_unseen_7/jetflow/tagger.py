import torch
from torch import nn

from telemetry import TelemetryMixin


class DeepSetTagger(TelemetryMixin, nn.Module):
    """Particle-flow style network: per-particle phi, sum, rho."""

    def __init__(self, feats=5, hidden=64, classes=3):
        super().__init__()
        self.phi = nn.Sequential(nn.Linear(feats, hidden), nn.SiLU(), nn.Linear(hidden, hidden), nn.SiLU())
        self.rho = nn.Sequential(nn.Linear(hidden, hidden), nn.SiLU(), nn.Linear(hidden, classes))

    def forward(self, particles, mask):
        per = self.watch("phi", self.phi(particles))
        pooled = self.watch("pool", (per * mask[..., None]).sum(1) / mask.sum(1, keepdim=True))
        return self.rho(pooled)
