import torch


def readings(steps):
    gen = torch.Generator().manual_seed(152)
    freq = torch.tensor([1.0, 1.93, 0.52, 2.0])
    mix = torch.randn(8, 3, generator=gen) * 0.3
    for t in range(steps):
        ph = 0.05 * t * freq
        features = torch.cat([ph.sin(), ph.cos()])[None]
        yield features, features @ mix + 0.1 * torch.randn(1, 3, generator=gen)
