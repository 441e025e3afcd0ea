import torch

DT = 0.05


def laplacian(c):
    up = torch.roll(c, 1, 0) + torch.roll(c, -1, 0)
    side = torch.roll(c, 1, 1) + torch.roll(c, -1, 1)
    return up + side - 4.0 * c


def evolve(c, barrier, gradient, mobility, steps):
    """Allen-Cahn relaxation of the order parameter."""
    for _ in range(steps):
        bulk = barrier * (c ** 3 - c)
        c = c - DT * mobility * (bulk - gradient * laplacian(c))
    return c


def make_micrographs(size, steps, seed):
    gen = torch.Generator().manual_seed(seed)
    start = 0.4 * torch.randn(size, size, generator=gen)
    end = evolve(start, 1.4, 0.5, 1.2, steps)
    end = end + 0.01 * torch.randn(size, size, generator=gen)
    return start, end
