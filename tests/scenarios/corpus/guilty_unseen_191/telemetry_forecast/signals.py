import torch


def windows(steps, batch, length=8, seed=6):
    gen = torch.Generator().manual_seed(seed)
    offset = torch.randn(batch, 1, generator=gen)
    freq = 0.1 + 0.2 * torch.rand(batch, 1, generator=gen)
    for i in range(steps):
        t = torch.arange(i * length, i * length + length + 1).float()
        y = offset + torch.sin(freq * t) + 0.05 * torch.randn(batch, length + 1, generator=gen)
        offset = offset + 0.02 * torch.randn(batch, 1, generator=gen)
        yield y[:, :-1], y[:, -1:]
