import torch


def windows(n, fault, length=64):
    t = torch.arange(length).float()
    f = 0.1 + 0.02 * torch.rand(n, 1)
    ph = torch.rand(n, 1) * 6.28
    w = torch.sin(2 * torch.pi * f * t + ph) + 0.05 * torch.randn(n, length)
    if fault:
        start = torch.randint(0, 16, (n, 1))
        hits = ((t - start) % 16 == 0).float()
        w = w + 0.8 * hits
    return w
