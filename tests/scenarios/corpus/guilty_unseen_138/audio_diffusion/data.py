import torch


def snippets(n, length=24):
    t = torch.arange(length).float()
    f = 0.2 + 0.6 * torch.rand(n, 1, 1)
    decay = torch.exp(-t / 12)
    return torch.sin(f * t + 6.28 * torch.rand(n, 1, 1)) * decay
