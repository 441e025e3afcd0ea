import torch


def growth_curves(n, steps=12):
    rate = 0.3 + 0.4 * torch.rand(n, 1)
    t = torch.arange(steps)
    return 1 / (1 + torch.exp(-rate * (t - 6))) + 0.02 * torch.randn(n, steps)
