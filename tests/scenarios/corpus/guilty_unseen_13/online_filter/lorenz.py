import torch


def measurements(n, seed, dt=0.01, noise=0.02, substeps=2):
    g = torch.Generator().manual_seed(seed)
    x, y, z = 1.0, 1.0, 20.0
    for _ in range(n):
        for _ in range(substeps):
            dx, dy, dz = 10 * (y - x), x * (28 - z) - y, x * y - 8 / 3 * z
            x, y, z = x + dt * dx, y + dt * dy, z + dt * dz
        clean = torch.tensor([x / 20, y / 20, (z - 25) / 20])
        yield clean + noise * torch.randn(3, generator=g)
