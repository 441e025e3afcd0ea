import torch


def drum_hits(n, length):
    t = torch.linspace(0, 1, length)
    f = torch.rand(n, 1) * 20 + 10
    return torch.exp(-6 * t) * torch.sin(f * t) + 0.02 * torch.randn(n, length)
