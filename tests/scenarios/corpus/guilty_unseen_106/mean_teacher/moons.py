import math

import torch


def make_moons(n, noise=0.1):
    y = torch.arange(n) % 2
    t = math.pi * torch.rand(n)
    x0 = torch.stack([torch.cos(t), torch.sin(t)], 1)
    x1 = torch.stack([1 - torch.cos(t), 0.5 - torch.sin(t)], 1)
    x = torch.where(y[:, None] == 0, x0, x1)
    return x + noise * torch.randn_like(x), y


def noisy(x, sigma=0.08):
    return x + sigma * torch.randn_like(x)
