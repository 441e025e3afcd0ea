import torch


def real_batch(n, rng, bins=40):
    axis = torch.linspace(0, 1, bins)
    centre = 0.3 + 0.4 * torch.rand(n, 2, 1, generator=rng)
    width = 0.03 + 0.04 * torch.rand(n, 2, 1, generator=rng)
    height = 0.5 + torch.rand(n, 2, 1, generator=rng)
    lines = height * torch.exp(-((axis - centre) / width) ** 2)
    return lines.sum(1) + 0.02 * torch.rand(n, bins, generator=rng)
