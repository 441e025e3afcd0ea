"""Stochastic block model with noisy features."""
from types import SimpleNamespace

import torch

DATASETS = {}


def register(name):
    def deco(fn):
        DATASETS[name] = fn
        return fn
    return deco


def _sbm(n, classes, p_in, p_out, dim, noise, seed):
    g = torch.Generator().manual_seed(seed)
    y = torch.randint(classes, (n,), generator=g)
    p = torch.where(y.unsqueeze(0) == y.unsqueeze(1), p_in, p_out)
    adj = (torch.rand(n, n, generator=g) < p).float().triu(1)
    adj = adj + adj.T
    adj = adj / adj.sum(1, keepdim=True).clamp(min=1)
    centre = torch.randn(classes, dim, generator=g)
    x = centre[y] + noise * torch.randn(n, dim, generator=g)
    perm = torch.randperm(n, generator=g)
    return SimpleNamespace(x=x, y=y, adj=adj, num_classes=classes, train=perm[: n // 2], test=perm[n // 2:])


@register("sbm-easy")
def sbm_easy(seed):
    return _sbm(400, 4, 0.06, 0.005, 16, 1.5, seed)


@register("sbm-hard")
def sbm_hard(seed):
    return _sbm(400, 6, 0.05, 0.012, 16, 2.5, seed)
