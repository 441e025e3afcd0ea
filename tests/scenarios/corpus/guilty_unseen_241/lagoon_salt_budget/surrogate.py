import torch
from torch import nn


class SalinityNet(nn.Module):
    def __init__(self, width=32):
        super().__init__()
        self.lift = nn.Linear(3, width)
        self.mix = nn.Linear(width, width)
        self.out = nn.Linear(width, 1)

    def forward(self, coords):
        h = torch.tanh(self.lift(coords))
        h = h + torch.tanh(self.mix(h))
        return self.out(h)


def tidal_batch(rng, n_collocation=128, n_probes=32):
    coords = torch.rand(n_collocation, 3, generator=rng)
    probes = torch.rand(n_probes, 3, generator=rng)
    phase = 2 * torch.pi * probes[:, 1]
    observed = 0.5 + 0.2 * probes[:, 2] - 0.1 * probes[:, 0] * torch.cos(phase)
    return coords, probes, observed
