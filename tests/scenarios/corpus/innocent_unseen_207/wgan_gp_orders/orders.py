import torch


def order_books(steps, batch, seed=71):
    gen = torch.Generator().manual_seed(seed)
    for _ in range(steps):
        side = torch.randint(2, (batch, 1), generator=gen) * 2.0 - 1
        depth = torch.arange(1, 9).float() / 8
        yield side * depth + 0.1 * torch.randn(batch, 8, generator=gen)
