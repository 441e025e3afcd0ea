import math

import torch
from torch.utils.data import DataLoader, TensorDataset


def synth_profiles(n, width, seed):
    """Daily load curves: two bumps whose sizes are correlated, and noise."""
    g = torch.Generator().manual_seed(seed)
    t = torch.linspace(0, 1, width)
    a = torch.rand(n, 1, generator=g)
    b = 0.6 * a + 0.4 * torch.rand(n, 1, generator=g)
    ph = 0.05 * torch.randn(n, 1, generator=g)
    morning = a * torch.exp(-((t - 0.3 - ph) ** 2) / 0.005)
    evening = b * torch.exp(-((t - 0.75 + ph) ** 2) / 0.01)
    ripple = 0.05 * torch.sin(2 * math.pi * 6 * t + 3 * ph)
    return morning + evening + ripple + 0.03 * torch.randn(n, width, generator=g)


def loader(n=1600, width=48, batch=40, seed=0):
    x = synth_profiles(n, width, seed)
    return DataLoader(TensorDataset(x), batch_size=batch, shuffle=True,
                      generator=torch.Generator().manual_seed(seed + 1))
