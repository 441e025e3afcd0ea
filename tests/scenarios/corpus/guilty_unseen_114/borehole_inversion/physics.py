import torch
from torch import nn


class MisfitTooLarge(Exception):
    def __init__(self, flux, residual):
        super().__init__("log rejected")
        self.flux = flux
        self.residual = residual  # <- culprit


class Conduction(nn.Module):
    def __init__(self, n_layers, depth_points):
        super().__init__()
        self.log_k = nn.Parameter(torch.full((n_layers,), 0.8))
        self.correction = nn.Sequential(nn.Linear(1, 8), nn.Tanh(), nn.Linear(8, 1))
        self.per_layer = depth_points // n_layers

    def forward(self, flux):
        k = self.log_k.exp().repeat_interleave(self.per_layer)
        surface = self.correction(flux.view(1, 1)).view(())
        return surface + torch.cumsum(flux / k, 0)


def checked_residual(model, flux, temp, limit):
    residual = model(flux) - temp
    tail = residual[-8:].abs().mean()
    if tail.item() > limit:
        raise MisfitTooLarge(flux, residual)  # <- culprit
    return residual
