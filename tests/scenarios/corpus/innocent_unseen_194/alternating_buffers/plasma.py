import torch
from torch import nn


class CurrentToField(nn.Module):
    """Coil currents to the field at the probes, with learned eddy terms."""

    def __init__(self, coils, probes):
        super().__init__()
        self.green = nn.Parameter(0.1 * torch.randn(probes, coils))
        self.eddy = nn.Sequential(nn.Linear(coils, 20), nn.Tanh(), nn.Linear(20, probes))

    def forward(self, currents, slopes):
        return currents @ self.green.T + 0.2 * self.eddy(slopes)


def shots(coils, probes, batch, seed):
    gen = torch.Generator().manual_seed(seed)
    green = torch.randn(probes, coils, generator=gen)
    vessel = 0.3 * torch.randn(probes, coils, generator=gen)
    while True:
        currents = torch.randn(batch, coils, generator=gen)
        slopes = torch.randn(batch, coils, generator=gen)
        field = currents @ green.T + torch.tanh(slopes @ vessel.T)
        yield currents, slopes, field + 0.02 * torch.randn(field.shape, generator=gen)
