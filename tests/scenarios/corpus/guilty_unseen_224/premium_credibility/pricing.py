import torch
from torch import nn


class CredibilityLevel(nn.Module):
    """Blends the current base rate with what the market paid before."""

    def __init__(self, n_regions, weight=0.15):
        super().__init__()
        self.base_rate = nn.Parameter(torch.full((n_regions,), -1.0))
        self.weight = weight
        self.level = torch.zeros(n_regions)

    def advance(self):
        blended = torch.lerp(self.level, self.base_rate, self.weight)
        self.level = blended  # <- culprit
        return blended


class PricingModel(nn.Module):
    def __init__(self, n_features, n_regions):
        super().__init__()
        self.credibility = CredibilityLevel(n_regions)
        self.tariff = nn.Sequential(
            nn.Linear(n_features, 32),
            nn.SiLU(),
            nn.Linear(32, 1),
        )

    def forward(self, features, region):
        level = self.credibility.advance()
        return self.tariff(features).squeeze(1) + level[region]
