import torch
from torch import nn


class OccupancyNet(nn.Module):
    """Environmental response plus a low-rank term for co-occurrence."""

    def __init__(self, n_covariates, n_species, n_factors, width=48):
        super().__init__()
        self.response = nn.Sequential(
            nn.Linear(n_covariates, width),
            nn.SiLU(),
            nn.Linear(width, width),
            nn.SiLU(),
        )
        self.species = nn.Linear(width, n_species)
        self.site_factors = nn.Linear(width, n_factors)
        self.loadings = nn.Parameter(0.1 * torch.randn(n_factors, n_species))
        self.detect_logit = nn.Parameter(torch.zeros(n_species))

    def forward(self, covariates, effort):
        z = self.response(covariates)
        occupancy = torch.sigmoid(self.species(z) + self.site_factors(z) @ self.loadings)
        missed = (1 - torch.sigmoid(self.detect_logit)) ** effort
        return occupancy * (1 - missed)

    def penalty(self):
        return self.loadings.abs().mean()
