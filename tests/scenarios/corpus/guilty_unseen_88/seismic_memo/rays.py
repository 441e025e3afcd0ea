import functools

import torch


def memo_first_arg(fn):
    """Like lru_cache, but only the first argument needs to be hashable."""
    store = {}

    @functools.wraps(fn)
    def inner(key, *rest):
        if key not in store:
            store[key] = fn(key, *rest)  # <- culprit
        return store[key]  # <- culprit

    inner.store = store
    return inner


def ray_lengths(offsets, n_layers, thick=0.1):
    """Path length of a head wave in each layer, (n_receivers, n_layers)."""
    depth = (offsets / 10 * n_layers).long().clamp(1, n_layers - 1)
    L = torch.zeros(len(offsets), n_layers)
    for i, d in enumerate(depth.tolist()):
        L[i, :d] = 2 * thick
        L[i, d] += offsets[i]
    return L


@memo_first_arg  # <- culprit
def forward_model(shot, profile, offsets):
    slowness = 1.0 / profile.velocity()
    G = ray_lengths(offsets, len(slowness))
    return G @ slowness
