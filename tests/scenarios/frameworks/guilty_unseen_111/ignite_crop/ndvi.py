import math

import torch
from torch.utils.data import DataLoader, TensorDataset


def season(n, gen, length=36, classes=5):
    y = torch.randint(0, classes, (n,), generator=gen)
    t = torch.linspace(0, 1, length)
    peak = 0.3 + 0.1 * y[:, None] + 0.03 * torch.randn(n, 1, generator=gen)
    width = 0.08 + 0.02 * (y[:, None] % 3)
    curve = 0.2 + 0.6 * torch.exp(-((t - peak) / width) ** 2 / 2)
    second = 0.2 * (y[:, None] == 2) * torch.sin(math.pi * 2 * t).clamp(min=0)
    x = curve + second + 0.05 * torch.randn(n, length, generator=gen)
    clouds = torch.rand(n, length, generator=gen) < 0.1
    return x.masked_fill(clouds, 0.0), y


def loaders(n_train, n_test, batch_size):
    gen = torch.Generator().manual_seed(9)
    train = TensorDataset(*season(n_train, gen))
    test = TensorDataset(*season(n_test, gen))
    return (
        DataLoader(train, batch_size=batch_size, shuffle=True, drop_last=True),
        DataLoader(test, batch_size=64),
    )
