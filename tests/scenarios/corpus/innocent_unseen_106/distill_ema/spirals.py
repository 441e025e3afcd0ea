import torch


def spirals(n, classes=3):
    y = torch.arange(n) % classes
    r = torch.rand(n)
    t = 4 * r + y * 2 * torch.pi / classes + 0.15 * torch.randn(n)
    return torch.stack([r * t.sin(), r * t.cos()], 1), y
