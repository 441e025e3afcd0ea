import torch

_T = torch.arange(64) / 64.0


def record(n):
    y = (torch.rand(n) < 0.5).float()
    burst = torch.exp(-((_T - 0.2 - 0.5 * torch.rand(n, 1)) / 0.08) ** 2)
    hum = torch.sin(6.2832 * (5 + 3 * torch.rand(n, 1)) * _T)
    x = y[:, None] * burst * torch.randn(n, 64) * 1.5 + hum + 0.3 * torch.randn(n, 64)
    return x, y


def augment(x):
    shift = int(torch.randint(-6, 7, ()))
    return (x + 0.05 * torch.randn_like(x)).roll(shift, dims=1)
