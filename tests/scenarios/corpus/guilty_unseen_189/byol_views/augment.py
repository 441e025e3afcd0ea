import torch


def jitter(x, noise=0.3, drop=0.15):
    keep = (torch.rand_like(x) > drop).float()
    scale = 1 + 0.2 * torch.randn(x.size(0), 1)
    return (x * scale + noise * torch.randn_like(x)) * keep


def two_views(x):
    return jitter(x), jitter(x)
