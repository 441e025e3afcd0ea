"""Thin-lens deflection and source models."""
import torch
from torch import nn


class EllipticalLens(nn.Module):
    """Softened elliptical potential with external shear."""

    def __init__(self):
        super().__init__()
        self.log_b = nn.Parameter(torch.tensor(-0.6))
        self.e = nn.Parameter(torch.zeros(2))
        self.shear = nn.Parameter(torch.zeros(2))

    def deflect(self, x, y):
        e1, e2 = 0.3 * torch.tanh(self.e)
        u = (1 + e1) * x ** 2 + (1 - e1) * y ** 2 + 2 * e2 * x * y + 0.02
        common = self.log_b.exp() / u.sqrt()
        ax = common * ((1 + e1) * x + e2 * y) + self.shear[0] * x + self.shear[1] * y
        ay = common * ((1 - e1) * y + e2 * x) + self.shear[1] * x - self.shear[0] * y
        return ax, ay


class BlobSource(nn.Module):
    """A few Gaussian blobs in the source plane."""

    def __init__(self, n=3, seed=0):
        super().__init__()
        g = torch.Generator().manual_seed(seed)
        self.pos = nn.Parameter(0.1 * torch.randn(n, 2, generator=g))
        self.log_flux = nn.Parameter(torch.full((n,), -1.0))
        self.log_size = nn.Parameter(torch.full((n,), -1.8))

    def forward(self, x, y):
        d2 = (x[..., None] - self.pos[:, 0]) ** 2 + (y[..., None] - self.pos[:, 1]) ** 2
        return (self.log_flux.exp() * torch.exp(-0.5 * d2 / self.log_size.exp() ** 2)).sum(-1)


class Scene(nn.Module):
    def __init__(self, size=24, seed=0):
        super().__init__()
        c = torch.linspace(-1.5, 1.5, size)
        yy, xx = torch.meshgrid(c, c, indexing="ij")
        self.register_buffer("xx", xx.contiguous())
        self.register_buffer("yy", yy.contiguous())
        self.lens, self.source = EllipticalLens(), BlobSource(seed=seed)

    def forward(self):
        ax, ay = self.lens.deflect(self.xx, self.yy)
        return self.source(self.xx - ax, self.yy - ay)
