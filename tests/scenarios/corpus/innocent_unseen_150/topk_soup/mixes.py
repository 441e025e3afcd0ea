import torch


def mixes(n):
    x = torch.rand(n, 8)
    y = 2 * x[:, 0] - x[:, 1] * x[:, 2] + torch.sqrt(x[:, 3]) + 0.05 * torch.randn(n)
    return x, y
