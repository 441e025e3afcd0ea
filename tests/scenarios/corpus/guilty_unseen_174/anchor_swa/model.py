import torch
from torch import nn


class Spectrometer(nn.Module):
    """Maps a 40-bin spectrum to 3 concentrations."""

    def __init__(self, bins=40, hidden=32, species=3):
        super().__init__()
        self.trunk = nn.Sequential(nn.Linear(bins, hidden), nn.Tanh())
        self.out = nn.Linear(hidden, species)

    def forward(self, x):
        return self.out(self.trunk(x))


class SpectrumSource:
    def __init__(self, bins=40, species=3, seed=0):
        self.g = torch.Generator().manual_seed(seed)
        self.basis = torch.rand(species, bins, generator=self.g)
        self.species = species

    def batch(self, n=48):
        c = torch.rand(n, self.species, generator=self.g)
        x = c @ self.basis
        return x + 0.02 * torch.randn(x.shape, generator=self.g), c
