# gradwatch-corpus: kind=none
"""Forecast tomorrow's bread orders for a chain of bakeries (quantile loss)."""
import collections
import functools

import torch
from torch import nn

torch.set_num_threads(1)

QUANTILES = (0.1, 0.5, 0.9)


class Series(collections.UserList):
    """A list of numbers for plotting."""

    def append(self, item):
        super().append(item.item() if torch.is_tensor(item) and item.dim() == 0 else item)

    def tail_mean(self, n):
        part = self.data[-n:]
        return sum(part) / len(part)


class History(dict):
    def __missing__(self, key):
        self[key] = Series()
        return self[key]

    def record(self, **values):
        for key, value in values.items():
            self[key].append(value)


def remember_last(n):
    """Let a model's method be asked for its last n results."""

    def deco(fn):
        kept = collections.deque(maxlen=n)

        @functools.wraps(fn)
        def inner(*args, **kwargs):
            out = fn(*args, **kwargs)
            kept.append(out)
            return out

        inner.kept = kept
        return inner

    return deco


class OrderNet(nn.Module):
    def __init__(self, shops, width=32):
        super().__init__()
        self.shop = nn.Embedding(shops, 6)
        self.net = nn.Sequential(nn.Linear(6 + 8, width), nn.ReLU(), nn.Linear(width, len(QUANTILES)))

    @remember_last(3)
    def forward(self, shop, recent):
        raw = self.net(torch.cat([self.shop(shop), recent], 1))
        low, rest = raw[:, :1], nn.functional.softplus(raw[:, 1:])
        return torch.cat([low, low + rest.cumsum(1)], 1)


def pinball(pred, target):
    q = torch.tensor(QUANTILES)
    gap = target[:, None] - pred
    return torch.maximum(q * gap, (q - 1) * gap).mean(0)


def drift_penalty(model):
    """Predictions of the last batches should not jump about."""
    centres = [out[:, 1].mean().detach() for out in list(model.forward.kept)[:-1]]
    if not centres:
        return torch.zeros(())
    current = model.forward.kept[-1][:, 1].mean()
    return (current - torch.stack(centres).mean()).square()


def orders(shops, days, size, gen):
    level = torch.rand(shops, generator=gen)
    week = 0.3 * torch.randn(8, generator=gen)
    for _ in range(days):
        shop = torch.randint(shops, (size,), generator=gen)
        recent = level[shop, None] + 0.3 * torch.randn(size, 8, generator=gen)
        yield shop, recent, recent @ week + level[shop] + 0.1 * torch.randn(size, generator=gen)


def main():
    torch.manual_seed(77)
    model = OrderNet(shops=15)
    optimizer = torch.optim.Adam(model.parameters(), lr=3e-3)
    history = History()
    for day, (shop, recent, target) in enumerate(orders(15, 260, 64, torch.Generator().manual_seed(7))):
        parts = pinball(model(shop, recent), target)
        drift = drift_penalty(model)
        loss = parts.sum() + 0.05 * drift
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        history.record(loss=loss, drift=drift, **{f"q{q}": p for q, p in zip(QUANTILES, parts)})
        if day % 65 == 64:
            print(f"day {day + 1}: " + ", ".join(f"{k} {s.tail_mean(20):.4f}" for k, s in history.items()))


if __name__ == "__main__":
    main()
