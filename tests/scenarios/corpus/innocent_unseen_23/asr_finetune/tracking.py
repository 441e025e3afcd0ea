import functools
import time
from collections import defaultdict


class BadBatch(Exception):
    def __init__(self, message, **details):
        super().__init__(message)
        self.details = details


class Ledger:
    def __init__(self):
        self.series = defaultdict(list)
        self.rejects = []

    @property
    def rejected(self):
        return len(self.rejects)

    def record(self, name, value):
        self.series[name].append(value)

    def last(self, name):
        return float(self.series[name][-1])

    def reject(self, exc):
        self.rejects.append(f"{exc} (level {exc.details['level']:.1f})")


class timed:
    """Decorator: seconds spent and last result's size, per function."""

    book = {}

    def __init__(self, fn):
        functools.update_wrapper(self, fn)
        self.fn = fn

    def __get__(self, obj, owner=None):
        return functools.partial(self, obj)

    def __call__(self, *args, **kwargs):
        t0 = time.perf_counter()
        out = self.fn(*args, **kwargs)
        n, total, _ = self.book.get(self.fn.__name__, (0, 0.0, None))
        self.book[self.fn.__name__] = (n + 1, total + time.perf_counter() - t0, out)
        return out

    @classmethod
    def summary(cls):
        return ", ".join(f"{k}: {n} calls {1000 * s / n:.2f} ms" for k, (n, s, _) in cls.book.items())
