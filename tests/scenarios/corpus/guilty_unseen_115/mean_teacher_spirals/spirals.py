import math

import torch


def make_spirals(per_class, n_classes, noise=0.04):
    xs, ys = [], []
    for c in range(n_classes):
        r = torch.rand(per_class).sqrt()
        a = 3.0 * r + 2 * math.pi * c / n_classes
        xs.append(torch.stack([r * a.cos(), r * a.sin()], 1))
        ys.append(torch.full((per_class,), c))
    x = torch.cat(xs)
    return x + noise * torch.randn_like(x), torch.cat(ys)


def augment(x, sigma=0.05):
    return x + sigma * torch.randn_like(x)
