import torch

_patterns = torch.randn(6, 20, generator=torch.Generator().manual_seed(71))


def spoken(n, batch=16):
    g = torch.Generator().manual_seed(1000 + n)
    y = torch.randint(0, 6, (batch,), generator=g)
    return _patterns[y] + 0.7 * torch.randn(batch, 20, generator=g), y
