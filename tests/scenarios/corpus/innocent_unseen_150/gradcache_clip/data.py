import torch

MIX = torch.randn(5, 34, generator=torch.Generator().manual_seed(3))


def pairs(n):
    z = torch.randn(n, 5)
    v = z @ MIX + 0.2 * torch.randn(n, 34)
    return v[:, :20], v[:, 20:]
