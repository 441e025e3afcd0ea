from collections import ChainMap, defaultdict
from functools import singledispatch

import torch


@singledispatch
def plain(value):
    return value


@plain.register
def _(value: torch.Tensor):
    return value.item()


class History:
    """Every step's row, for the plot at the end."""

    def __init__(self, defaults):
        self.defaults = defaults
        self.rows = []

    def on_step(self, event):
        row = dict(event.scalars(), accuracy=event.accuracy(), step=event.step)
        self.rows.append(ChainMap({k: plain(v) for k, v in row.items()}, self.defaults))

    def tail(self, n):
        return [f"{r['split']}/{r['step']}: {r['task']:.3f}" for r in self.rows[-n:]]


class Mean:
    def __init__(self):
        self.total, self.n = 0.0, 0

    def __iadd__(self, value):
        self.total += plain(value)
        self.n += 1
        return self

    def __float__(self):
        return self.total / max(self.n, 1)


class Table:
    def __init__(self, every):
        self.every = every
        self.means = defaultdict(Mean)

    def on_step(self, event):
        for name, value in event.scalars():
            self.means[name] += value
        if event.step % self.every == self.every - 1:
            print(event.step + 1, {k: round(float(m), 4) for k, m in self.means.items()})
            self.means.clear()
