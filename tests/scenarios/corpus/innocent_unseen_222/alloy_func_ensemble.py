# gradwatch-corpus: kind=none
"""Deep ensemble for alloy hardness: stacked parameter trees, vmap over members, hand-written Adam."""
from functools import partial
from typing import NamedTuple

import torch
import torch.nn.functional as F
from torch.func import grad_and_value, vmap
from torch.utils._pytree import tree_map


class AdamState(NamedTuple):
    mu: dict
    nu: dict
    t: int


def init_member(g):
    return {
        "in": {"w": torch.randn(9, 32, generator=g) / 3.0, "b": torch.zeros(32)},
        "out": {"w": torch.randn(32, 2, generator=g) / 6.0, "b": torch.zeros(2)},
    }


def stack(trees):
    first = trees[0]
    if isinstance(first, dict):
        return {k: stack([t[k] for t in trees]) for k in first}
    return torch.stack(trees)


def predict(p, x):
    h = F.gelu(x @ p["in"]["w"] + p["in"]["b"])
    mean, raw = (h @ p["out"]["w"] + p["out"]["b"]).unbind(-1)
    return mean, F.softplus(raw) + 1e-3


def nll(p, x, y):
    mean, var = predict(p, x)
    return 0.5 * (var.log() + (y - mean) ** 2 / var).mean()


def adam_init(p):
    return AdamState(tree_map(torch.zeros_like, p), tree_map(torch.zeros_like, p), 0)


def adam(p, g, s, lr=5e-3, b1=0.9, b2=0.99, eps=1e-8):
    t = s.t + 1
    mu = tree_map(lambda m, d: b1 * m + (1 - b1) * d, s.mu, g)
    nu = tree_map(lambda v, d: b2 * v + (1 - b2) * d * d, s.nu, g)

    def update(w, m, v):
        return w - lr * (m / (1 - b1**t)) / ((v / (1 - b2**t)).sqrt() + eps)

    return tree_map(update, p, mu, nu), AdamState(mu, nu, t)


def bootstrap(g, members, n):
    x = torch.rand(members, n, 9, generator=g)
    x = x / x.sum(-1, keepdim=True)
    y = 4 * x[..., 0] * x[..., 1] * 9 + x[..., 2] - x[..., 5]
    return x, y + 0.05 * torch.randn(y.shape, generator=g)


def main():
    g = torch.Generator().manual_seed(2)
    members = 5
    params = stack([init_member(g) for _ in range(members)])
    opt = adam_init(params)
    step_fn = vmap(grad_and_value(nll))
    average = None
    losses = torch.zeros(members)
    for it in range(150):
        x, y = bootstrap(g, members, 48)
        grads, value = step_fn(params, x, y)
        params, opt = adam(params, grads, opt)
        losses = 0.9 * losses + 0.1 * value
        if it >= 50:
            average = params if average is None else tree_map(partial(torch.lerp, weight=0.05), average, params)
        if it % 50 == 0:
            print(it, [round(v, 3) for v in losses.tolist()])
    x, y = bootstrap(g, members, 64)
    mean, var = vmap(predict)(average, x)
    print("rmse", (mean - y).pow(2).mean().sqrt().item(), "sigma", var.sqrt().mean().item())


if __name__ == "__main__":
    main()
