from typing import Tuple

import torch
from torch import nn


class Denoiser(nn.Module):
    def __init__(self, bins: int, width: int) -> None:
        super().__init__()
        self.bins = bins
        self.enc = nn.Sequential(nn.Conv1d(1, 8, 5, padding=2), nn.SiLU(), nn.Conv1d(8, 4, 5, padding=2), nn.SiLU())
        self.mix = nn.Linear(4 * bins, width)
        self.dec = nn.Linear(width, bins)

    def forward(self, x: torch.Tensor) -> Tuple[torch.Tensor, torch.Tensor]:
        h = torch.tanh(self.mix(self.enc(x.unsqueeze(1)).flatten(1)))
        return self.dec(h), h


def noisy_spectra(n: int, bins: int) -> Tuple[torch.Tensor, torch.Tensor]:
    grid = torch.linspace(0, 1, bins)
    centre = torch.rand(n, 2, 1)
    clean = torch.exp(-((grid - centre) ** 2) / 0.01).sum(1)
    return clean + 0.2 * torch.randn_like(clean), clean
