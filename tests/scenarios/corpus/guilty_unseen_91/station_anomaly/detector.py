import torch
from torch import nn

from bank import CenterBank


class RegimeDetector(nn.Module):
    def __init__(self, n_sensors, dim, n_regimes):
        super().__init__()
        self.proj = nn.Linear(n_sensors, dim)
        self.decode = nn.Linear(dim, n_sensors)
        self.bank = CenterBank(n_regimes, dim)

    def embed(self, x):
        return torch.tanh(self.proj(x))

    def nearest(self, z):
        return torch.cdist(z, self.bank.centers).argmin(dim=1)


def detector_loss(model, z, x, regime):
    centers = model.bank.centers[regime]
    return {
        "recon": nn.functional.mse_loss(model.decode(z), x),
        "compact": 0.3 * (z - centers).pow(2).sum(dim=1).mean(),
    }
