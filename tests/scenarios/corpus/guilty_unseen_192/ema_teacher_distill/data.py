import torch


def batches(steps, batch=32, dim=12, classes=5, flip=0.2, seed=21):
    gen = torch.Generator().manual_seed(seed)
    centers = torch.randn(classes, dim, generator=gen)
    for _ in range(steps):
        y = torch.randint(classes, (batch,), generator=gen)
        x = centers[y] + 0.4 * torch.randn(batch, dim, generator=gen)
        noisy = torch.where(torch.rand(batch, generator=gen) < flip, torch.randint(classes, (batch,), generator=gen), y)
        jitter = torch.randn(2, batch, dim, generator=gen)
        yield x, x + 0.1 * jitter[0], x + 0.5 * jitter[1], noisy
