import torch


def colours(n):
    """u-g, g-r, r-i, i-z of a red and a blue population"""
    red = (torch.rand(n, 1) < 0.45).float()
    mean = red * torch.tensor([1.7, 0.8, 0.4, 0.3]) + (1 - red) * torch.tensor([1.1, 0.4, 0.2, 0.1])
    return mean + 0.1 * torch.randn(n, 4)
