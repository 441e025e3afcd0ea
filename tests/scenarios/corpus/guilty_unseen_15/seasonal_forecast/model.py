import torch
from torch import nn


class Climatology(nn.Module):
    """Exponential mean of the latent codes, the reference for anomalies."""

    def __init__(self, latent, decay=0.97):
        super().__init__()
        self.decay = decay
        self.register_buffer("mean", torch.zeros(latent))

    def forward(self, code):
        if self.training:
            self.mean = self.decay * self.mean + (1 - self.decay) * code.mean(dim=0)  # <- culprit
        return code - self.mean

    def magnitude(self):
        return self.mean.norm().item()


class SeasonalModel(nn.Module):
    def __init__(self, cells, latent):
        super().__init__()
        self.encode = nn.Sequential(nn.Linear(cells + 2, latent), nn.Tanh())
        self.climatology = Climatology(latent)
        self.decode = nn.Sequential(nn.Linear(latent, 32), nn.ReLU(), nn.Linear(32, cells))

    def forward(self, fields):
        code = self.encode(fields)
        anomaly = self.climatology(code)
        return self.decode(anomaly), code
