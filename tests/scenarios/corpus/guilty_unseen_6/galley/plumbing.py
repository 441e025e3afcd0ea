import functools

import torch


class Registry(dict):
    def add(self, name):
        def put(cls):
            self[name] = cls
            return cls
        return put


REGISTRY = Registry()


def every(n):
    """Call the method only on each n-th step of its owner."""
    def wrap(method):
        @functools.wraps(method)
        def inner(self, *args):
            if self.step_no % n == n - 1:
                return method(self, *args)
        return inner
    return wrap


def spectra(rows, labels, n, bins=48):
    f = torch.arange(bins).float()
    for _ in range(n):
        y = torch.randint(labels, (rows,))
        peak = 4 + 7.0 * y.unsqueeze(1) + torch.randn(rows, 1)
        yield torch.exp(-((f - peak) / 2.5) ** 2) + 0.3 * torch.rand(rows, bins), y
