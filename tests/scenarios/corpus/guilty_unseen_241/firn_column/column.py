import torch
from torch import nn


class FirnColumnNet(nn.Module):
    def __init__(self, width):
        super().__init__()
        self.trunk = nn.Sequential(
            nn.Linear(2, width),
            nn.SiLU(),
            nn.Linear(width, width),
            nn.SiLU(),
        )
        self.head = nn.Linear(width, 1)

    def forward(self, z, t):
        zt = torch.stack([z, t], dim=-1)
        return self.head(self.trunk(zt)).squeeze(-1)


def diffusivity(z):
    return 0.02 + 0.05 * z


def draw_depths(generator, n):
    z = torch.rand(n, generator=generator)
    t = torch.rand(n, generator=generator)
    return z, t


def surface_temperature(t):
    return -0.3 + 0.2 * torch.cos(2 * torch.pi * t)


def heat_residual(net, z, t):
    z = z.requires_grad_()
    t = t.requires_grad_()
    temp = net(z, t)
    ones = torch.ones_like(temp)
    d_z, d_t = torch.autograd.grad(temp, (z, t), ones, create_graph=True)
    flux = diffusivity(z) * d_z
    d_flux = torch.autograd.grad(flux, z, ones, create_graph=True)[0]
    return d_t - d_flux
