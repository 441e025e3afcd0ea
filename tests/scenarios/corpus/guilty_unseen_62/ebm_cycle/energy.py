"""Energy networks."""
import torch
from torch import nn


class Energy(nn.Module):
    """Scalar energy with a weak confining well, so that chains stay bounded."""

    def __init__(self, dim=2, width=32, well=0.05):
        super().__init__()
        self.well = well
        self.net = nn.Sequential(
            nn.Linear(dim, width), nn.SiLU(),
            nn.Linear(width, width), nn.SiLU(),
            nn.Linear(width, 1),
        )

    def forward(self, x):
        return self.net(x).squeeze(-1) + self.well * x.square().sum(-1)


def frozen(energy):
    """A copy of ``energy`` whose parameters do not ask for gradients."""
    twin = Energy(energy.net[0].in_features, energy.net[0].out_features, energy.well)
    twin.load_state_dict(energy.state_dict())
    return twin.requires_grad_(False)


def two_wells(n, generator=None):
    """Positions of a particle in a double-well potential with a soft second axis."""
    sign = torch.randint(0, 2, (n, 1), generator=generator) * 2.0 - 1.0
    base = torch.cat([1.5 * sign, torch.zeros(n, 1)], dim=1)
    return base + torch.randn(n, 2, generator=generator) * torch.tensor([0.25, 0.6])
