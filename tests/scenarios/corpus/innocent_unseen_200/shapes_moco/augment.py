import torch


def waves(n, length, g):
    t = torch.linspace(0, 6.28, length)
    f = torch.randint(1, 6, (n, 1), generator=g)
    p = torch.rand(n, 1, generator=g) * 6.28
    return torch.sin(f * t + p)


def jitter(x, g):
    scale = 0.7 + 0.6 * torch.rand(len(x), 1, generator=g)
    drop = torch.rand(x.shape, generator=g) > 0.1
    return scale * x * drop + 0.1 * torch.randn(x.shape, generator=g)


def two_views(x, g):
    return jitter(x, g), jitter(x, g)
