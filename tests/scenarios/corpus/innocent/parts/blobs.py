"""Small made-up data sets."""

import torch


def classes(n=512, dim=16, k=4, seed=0):
    g = torch.Generator().manual_seed(seed)
    centres = torch.randn(k, dim, generator=g) * 2
    y = torch.randint(0, k, (n,), generator=g)
    return centres[y] + torch.randn(n, dim, generator=g), y


def line(n=512, dim=8, seed=0):
    g = torch.Generator().manual_seed(seed)
    x = torch.randn(n, dim, generator=g)
    return x, x @ torch.linspace(-1, 1, dim).unsqueeze(1) + 0.1 * torch.randn(n, 1, generator=g)


def batches(x, y, size, seed=0):
    """Shuffled batches for ever."""
    g = torch.Generator().manual_seed(seed)
    while True:
        order = torch.randperm(len(x), generator=g)
        for chunk in order.split(size):
            if len(chunk) == size:
                yield x[chunk], y[chunk]
