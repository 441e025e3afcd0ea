from dataclasses import dataclass

import torch


@dataclass
class PlotBatch:
    covariates: torch.Tensor
    presence: torch.Tensor
    effort: torch.Tensor


class PlotSampler:
    n_covariates = 5

    def __init__(self, n_species, batch):
        self.batch = batch
        self.niche_centre = torch.rand(n_species) * 1800 + 800
        self.niche_width = torch.rand(n_species) * 250 + 150
        self.detectability = torch.rand(n_species) * 0.4 + 0.5

    def draw(self):
        elevation = torch.rand(self.batch, 1) * 2200 + 600
        slope = torch.rand(self.batch, 1) * 45
        northness = torch.rand(self.batch, 1) * 2 - 1
        ph = torch.randn(self.batch, 1) * 0.8 + 6.2
        snow_days = 0.08 * elevation + 10 * northness + 8 * torch.randn(self.batch, 1)
        suit = torch.exp(-((elevation + 120 * northness - self.niche_centre) / self.niche_width).square())
        effort = torch.randint(1, 4, (self.batch, 1)).float()
        p_seen = suit * (1 - (1 - self.detectability) ** effort)
        presence = torch.bernoulli(p_seen)
        covariates = torch.cat([elevation / 1000 - 1.7, slope / 30 - 0.7, northness, ph - 6.2, snow_days / 100 - 1.3], dim=1)
        return PlotBatch(covariates, presence, effort)
