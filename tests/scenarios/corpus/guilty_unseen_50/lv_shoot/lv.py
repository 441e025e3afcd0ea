"""Lotka-Volterra reference trajectories."""
import torch

from node import rk4

al, be, de, ga = 1.1, 0.9, 0.8, 0.9


def f(_, z):
    x, y = z
    return torch.stack([al * x - be * x * y, de * x * y - ga * y])


@torch.no_grad()
def data(T, dt, s):
    z = torch.tensor([1.5, 0.8])
    zs = [z]
    for _ in range(T):
        z = rk4(f, None, z, dt)
        zs.append(z)
    zs = torch.stack(zs)
    return dt * torch.arange(T + 1), zs + s * torch.randn(zs.shape)
