import torch


def augment(x):
    shift = int(torch.randint(-3, 4, ()))
    gain = 0.8 + 0.4 * torch.rand(len(x), 1, 1)
    return gain * x.roll(shift, -1) + 0.05 * torch.randn_like(x)


def two_views(n, bins):
    grid = torch.linspace(0, 1, bins)
    centres, widths = torch.rand(n, 3, 1), 0.01 + 0.04 * torch.rand(n, 3, 1)
    x = torch.exp(-((grid - centres) ** 2) / (2 * widths**2)).sum(1, keepdim=True)
    return augment(x), augment(x)
