import random
import torch


def set_seed(s):
    random.seed(s)
    torch.manual_seed(s)


def ring_with_shortcuts(n, k):
    e = [(i, (i + 1) % n) for i in range(n - 1)]
    while len(e) < n - 1 + k:
        a, b = sorted(random.sample(range(n), 2))
        if b - a > 1 and (a, b) not in e:
            e.append((a, b))
    return e


def ridership(n, edges):
    x = torch.rand(n, 4)
    y = x.sum(1, keepdim=True)
    for a, b in edges:
        y[a] = y[a] + 0.3 * x[b].mean()
    return x, y
