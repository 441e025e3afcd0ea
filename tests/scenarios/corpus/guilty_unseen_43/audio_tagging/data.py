import torch


def batches(n, size, n_tags, length=128, seed=3):
    g = torch.Generator().manual_seed(seed)
    t = torch.linspace(0, 1, length)
    freqs = torch.arange(1, n_tags + 1) * 4.0
    bank = torch.sin(2 * torch.pi * freqs[:, None] * t[None])
    for _ in range(n):
        tags = (torch.rand(size, n_tags, generator=g) < 0.3).float()
        wave = tags @ bank + 0.3 * torch.randn(size, length, generator=g)
        yield wave.unsqueeze(1), tags
