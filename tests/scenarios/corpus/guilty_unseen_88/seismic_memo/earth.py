import torch
from torch import nn
import torch.nn.functional as F


class Profile(nn.Module):
    """Velocity against depth; monotone, through softplus increments."""

    def __init__(self, n_knots, n_layers):
        super().__init__()
        self.v0 = nn.Parameter(torch.tensor(1.4))
        self.inc = nn.Parameter(torch.full((n_knots,), -0.5))
        self.n_layers = n_layers

    def velocity(self):
        knots = self.v0 + torch.cumsum(F.softplus(self.inc), 0) * 0.4
        return F.interpolate(knots[None, None], size=self.n_layers, mode="linear",
                             align_corners=True)[0, 0]

    def roughness(self):
        return (self.inc[1:] - self.inc[:-1]).pow(2).sum()


def survey(n_shots, n_rec=10):
    """Picked arrivals, from a profile that the inversion does not know."""
    v = 1.5 + 2.2 * torch.linspace(0, 1, 30) ** 0.8
    out = []
    for _ in range(n_shots):
        off = torch.sort(torch.rand(n_rec) * 9 + 0.5).values
        depth = (off / 10 * 30).long().clamp(1, 29)
        t = torch.stack([2 * (0.1 / v[: d]).sum() + o / v[d] for d, o in zip(depth, off)])
        out.append((off, t + 0.01 * torch.randn(n_rec)))
    return out
