import torch


def readings(n):
    t = torch.linspace(0, 60, n)
    level = 1.2 * torch.sin(6.2832 * t / 12.42) + 0.3 * torch.sin(6.2832 * t / 6.21 + 1.0)
    return t, level + 0.1 * torch.randn(n)
