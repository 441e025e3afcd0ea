import torch
from torch import nn


class SiteEffects(nn.Module):
    """Random-intercept analogue: one offset per hospital, kept centred around a slowly moving mean."""

    def __init__(self, n_sites, rate=0.1):
        super().__init__()
        self.offset = nn.Embedding(n_sites, 1)
        nn.init.normal_(self.offset.weight, std=0.3)
        self.rate = rate
        self.register_buffer("centre", torch.zeros(()))

    def forward(self, site):
        if self.training:
            level = self.offset.weight.mean()
            self.centre = torch.lerp(self.centre, level, self.rate)  # <- culprit
        return self.offset(site).squeeze(-1) - self.centre


class ReadmissionNet(nn.Module):
    def __init__(self, n_vitals, n_codes, n_sites, dim=32):
        super().__init__()
        self.codes = nn.EmbeddingBag(n_codes, dim, mode="mean")
        self.norm = nn.BatchNorm1d(n_vitals)
        self.trunk = nn.Sequential(
            nn.Linear(n_vitals + dim, 64), nn.GELU(), nn.Dropout(0.1),
            nn.Linear(64, 32), nn.GELU(), nn.Linear(32, 1),
        )
        self.effects = SiteEffects(n_sites)

    def forward(self, vitals, codes, site):
        x = torch.cat([self.norm(vitals), self.codes(codes)], dim=1)
        return self.trunk(x).squeeze(-1) + self.effects(site)
