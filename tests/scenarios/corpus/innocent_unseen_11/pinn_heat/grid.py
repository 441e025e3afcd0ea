import functools

import torch


def _mesh(xs, ts):
    x, t = torch.meshgrid(xs, ts, indexing="ij")
    return x.reshape(-1, 1), t.reshape(-1, 1)


@functools.lru_cache(maxsize=4)
def collocation(n):
    return _mesh(torch.linspace(0.02, 0.98, n), torch.linspace(0.02, 0.5, n))


@functools.lru_cache(maxsize=4)
def edge(n):
    s = torch.linspace(0, 1, n)[:, None]
    zero, one = torch.zeros_like(s), torch.ones_like(s)
    middle = torch.full_like(s, 0.5)
    x = torch.cat([s, zero, one, middle])
    t = torch.cat([zero, 0.5 * s, 0.5 * s, 0.5 * s])
    return x, t


@functools.lru_cache(maxsize=4)
def probe(n):
    return _mesh(torch.linspace(0, 1, n), torch.linspace(0, 0.5, n))
