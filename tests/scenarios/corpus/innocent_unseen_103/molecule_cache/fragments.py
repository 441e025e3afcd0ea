import torch


def library(n):
    g = torch.Generator().manual_seed(4)
    x = (torch.rand(n, 32, generator=g) < 0.25).float()
    w = torch.randn(32, generator=g) / 3
    return x, x @ w


def mixtures(rng, logp, k=3):
    ids = rng.sample(range(len(logp)), k)
    return ids, logp[ids].mean() + rng.gauss(0, 0.05)
