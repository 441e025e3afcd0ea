import torch


def keyword_batch(n, g, n_mel=20, frames=30, n_kw=6):
    y = torch.randint(0, n_kw, (n,), generator=g)
    t = torch.linspace(0, 1, frames)
    m = torch.arange(n_mel, dtype=torch.float32)
    centre = 3 + 2.5 * y[:, None] + 4 * torch.sin(6.28 * t * (1 + y[:, None] % 3))
    x = torch.exp(-((m[None, :, None] - centre[:, None, :]) / 1.5) ** 2)
    return x + 0.2 * torch.randn(x.shape, generator=g), y


def spec_augment(x, g, width=6):
    x = x.clone()
    t0 = int(torch.randint(0, x.shape[2] - width, (1,), generator=g))
    f0 = int(torch.randint(0, x.shape[1] - 3, (1,), generator=g))
    x[:, :, t0:t0 + width] = 0
    x[:, f0:f0 + 3] = 0
    return x
