import torch

WORDS = 10


def keyword_batches(n, seed, size=24):
    g = torch.Generator().manual_seed(seed)
    t = torch.linspace(0, 1, 200)
    for _ in range(n):
        label = torch.randint(0, WORDS, (size,), generator=g)
        f0 = 6.0 + 3.0 * label.float()[:, None]
        jitter = 1 + 0.03 * torch.randn(size, 1, generator=g)
        wave = torch.sin(6.2832 * f0 * jitter * t) + 0.4 * torch.sin(6.2832 * 2.1 * f0 * t)
        yield (wave + 0.5 * torch.randn(size, 200, generator=g)).unsqueeze(1), label
