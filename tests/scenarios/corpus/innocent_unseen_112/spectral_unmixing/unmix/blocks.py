import torch
import torch.nn.functional as F
from torch import nn


class Abundance(nn.Module):
    def __init__(self, bands, materials):
        super().__init__()
        self.net = nn.Sequential(nn.Linear(bands, 32), nn.LeakyReLU(0.1), nn.Linear(32, materials))

    def forward(self, pix):
        return self.net(pix).softmax(1)


class Endmembers(nn.Module):
    def __init__(self, bands, materials):
        super().__init__()
        self.raw = nn.Parameter(torch.randn(materials, bands) * 0.3)

    def forward(self):
        return F.softplus(self.raw)

    def roughness(self):
        return self().diff(dim=1).pow(2).mean()


class Gain(nn.Module):
    def __init__(self, bands):
        super().__init__()
        self.log_gain = nn.Parameter(torch.zeros(bands))

    def forward(self, spectra):
        return spectra * self.log_gain.exp()

    def drift(self):
        return self.log_gain.pow(2).sum()
