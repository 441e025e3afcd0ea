import torch


def pairs(count, seed, size=32, dim=20):
    gen = torch.Generator().manual_seed(seed)
    centers = torch.randn(12, dim, generator=gen)
    for _ in range(count):
        base = centers[torch.randint(0, 12, (size,), generator=gen)]
        base = base + 0.5 * torch.randn(size, dim, generator=gen)
        yield tuple(base + 0.2 * torch.randn(size, dim, generator=gen) for _ in range(2))
