import torch


def loader(n, batch, seed, d=20):
    g = torch.Generator().manual_seed(seed)
    w = torch.randn(3, d, generator=torch.Generator().manual_seed(99))
    scale = (1.0, 4.0, 0.3)
    for _ in range(n // batch):
        x = torch.randn(batch, d, generator=g)
        ys = [s * torch.tanh(x @ w[k]) for k, s in enumerate(scale)]
        yield x, ys
