import torch


def keyword_batches(n, batch_size, frames=6, n_mel=16, n_classes=4):
    g = torch.Generator().manual_seed(1)
    templates = torch.randn(n_classes, frames, n_mel, generator=g)
    for _ in range(n):
        y = torch.randint(0, n_classes, (batch_size,), generator=g)
        yield templates[y] + 0.3 * torch.randn(batch_size, frames, n_mel, generator=g), y
