import torch


def sample(n, length=40):
    y = torch.randint(0, 3, (n,))
    t = torch.linspace(0, 1, length)
    onset = 0.2 + 0.2 * y[:, None] + 0.03 * torch.randn(n, 1)
    x = torch.exp(-(((t - onset) / 0.08) ** 2)) * torch.sin(40 * t)
    return x + 0.1 * torch.randn(n, length), y
