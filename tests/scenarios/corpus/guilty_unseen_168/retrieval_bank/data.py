import torch


def pairs(steps, batch, dim=48):
    gen = torch.Generator().manual_seed(2)
    basis = torch.randn(dim, dim, generator=gen) / dim ** 0.5
    for _ in range(steps):
        z = torch.randn(batch, dim, generator=gen)
        left = z @ basis + 0.1 * torch.randn(batch, dim, generator=gen)
        right = z @ basis.t() + 0.1 * torch.randn(batch, dim, generator=gen)
        yield left, right
