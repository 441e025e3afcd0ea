import torch


def tones(n, gen, length=128, classes=5):
    y = torch.randint(0, classes, (n,), generator=gen)
    t = torch.arange(length) / length
    ph = torch.rand(n, 1, generator=gen) * 6.28
    x = torch.sin(6.28 * (2 + 3 * y[:, None]) * t + ph)
    return (x + 0.5 * torch.randn(n, length, generator=gen)).unsqueeze(1), y
