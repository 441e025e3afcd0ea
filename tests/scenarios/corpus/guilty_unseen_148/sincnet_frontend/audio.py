import torch


def tone_batches(n, batch, length, sr):
    t = torch.arange(length) / sr
    for _ in range(n):
        y = torch.randint(0, 3, (batch,))
        f = 200.0 + 400.0 * y + 60 * torch.rand(batch)
        wave = torch.sin(2 * torch.pi * f[:, None] * t) + 0.3 * torch.randn(batch, length)
        yield wave[:, None], y
