import math

import torch


def init(sz):
    p = {}
    for i, (m, n) in enumerate(zip(sz, sz[1:])):
        p[f"W{i}"] = (torch.randn(m, n) / math.sqrt(m)).requires_grad_()
        p[f"b{i}"] = torch.zeros(n, requires_grad=True)
    return p


def f(p, x):
    n = len(p) // 2
    for i in range(n):
        x = torch.addmm(p[f"b{i}"], x, p[f"W{i}"])
        if i < n - 1:
            x = torch.nn.functional.silu(x)
    return x


def ema(a, p, b):
    return {k: torch.lerp(a[k], p[k], 1 - b) for k in a}  # <- culprit
