import torch

_w = torch.randn(16, 3, generator=torch.Generator().manual_seed(2)) / 2


def records(n):
    x = torch.randn(n, 16)
    p = x @ _w
    return x, torch.bernoulli(torch.sigmoid(3 * (p[:, 0] + p[:, 1] * p[:, 2].tanh())))


def poisson_batches(n, rate, count):
    for _ in range(count):
        yield torch.nonzero(torch.rand(n) < rate).squeeze(1)
