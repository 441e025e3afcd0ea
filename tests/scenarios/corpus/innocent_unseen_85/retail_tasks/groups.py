"""Synthetic demand curves, registered by product group."""
import torch

REGISTRY = {}


def group(name):
    def add(fn):
        REGISTRY[name] = fn
        return fn
    return add


def _week(n):
    day = torch.randint(0, 7, (n,))
    price = 0.5 + torch.rand(n)
    promo = (torch.rand(n) < 0.2).float()
    temp = torch.randn(n)
    x = torch.stack([torch.sin(day * 0.8976), torch.cos(day * 0.8976), price, promo, temp], 1)
    return x, day, price, promo, temp


@group("ice cream")
def ice_cream(n):
    x, day, price, promo, temp = _week(n)
    y = 1.5 * torch.relu(temp) - price + 0.7 * promo + 0.2 * torch.randn(n)
    return x, y


@group("bread")
def bread(n):
    x, day, price, promo, temp = _week(n)
    return x, 1.0 - 0.2 * price + 0.3 * (day > 4).float() + 0.1 * torch.randn(n)


@group("charcoal")
def charcoal(n):
    x, day, price, promo, temp = _week(n)
    return x, temp * (day > 4).float() + promo + 0.4 * torch.randn(n)


@group("umbrellas")
def umbrellas(n):
    x, day, price, promo, temp = _week(n)
    return x, torch.exp(-temp) * 0.3 - 0.5 * price + 0.3 * torch.randn(n)
