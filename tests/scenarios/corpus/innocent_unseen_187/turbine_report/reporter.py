import statistics

import torch


class Deferred:
    """A metric that is only computed when somebody asks."""

    def __init__(self, fn, *args):
        self.fn = fn
        self.args = args

    def resolve(self):
        return self.fn(*self.args).item()


class Reporter:
    def __init__(self, every):
        self.every = every
        self.waiting = {}
        self.published = []

    def defer(self, name, fn, *args):
        self.waiting.setdefault(name, []).append(Deferred(fn, *args))

    def step(self, n):
        if (n + 1) % self.every:
            return
        row = {name: statistics.fmean(d.resolve() for d in items) for name, items in self.waiting.items()}
        self.published.append((n, row))
        self.waiting = {}
        print(f"[{n}] " + " ".join(f"{k}={v:.4f}" for k, v in row.items()))


def r2(pred, target):
    residual = (target - pred).pow(2).sum()
    total = (target - target.mean()).pow(2).sum()
    return 1 - residual / total


def calibration(log_var, pred, target):
    z = (target - pred) / torch.exp(0.5 * log_var)
    return (z.abs() < 1).float().mean()
