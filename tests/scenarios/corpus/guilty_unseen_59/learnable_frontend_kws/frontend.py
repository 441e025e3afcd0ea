"""Filterbank with learnable triangular-ish filters and root compression."""
import torch
import torch.nn.functional as F
from torch import nn


class LearnableFilterbank(nn.Module):
    def __init__(self, bins, filters):
        super().__init__()
        self.centers = nn.Parameter(torch.linspace(0.05, 0.95, filters))
        self.log_width = nn.Parameter(torch.full((filters,), -2.5))
        self.register_buffer("axis", torch.linspace(0, 1, bins))

    def response(self):
        z = (self.axis[:, None] - self.centers) / self.log_width.exp()
        return torch.exp(-0.5 * z * z)

    def forward(self, power):
        energy = power @ F.normalize(self.response(), p=1.0, dim=0)
        return torch.sqrt(energy + 1e-5)
