"""Keeps what a decorated function returns, one row a call."""
import functools
import time
from collections import defaultdict


class Notebook:
    def __init__(self, title):
        self.title = title
        self.columns = defaultdict(list)
        self.t0 = time.time()

    def add_row(self, **values):
        for k, v in values.items():
            self.columns[k].append(v)  # <- culprit
        self.columns["t"].append(time.time() - self.t0)

    def __len__(self):
        return len(self.columns["t"])

    def describe(self, last):
        print(f"# {self.title}: {len(self)} rows")
        for k, col in self.columns.items():
            tail = [float(x) for x in col[-last:]]
            m = sum(tail) / len(tail)
            sd = (sum((x - m) ** 2 for x in tail) / len(tail)) ** 0.5
            print(f"{k:>6s}  {m:9.4f} +- {sd:.4f}")


def noted(book):
    def deco(fn):
        @functools.wraps(fn)
        def wrapper(*a, **kw):
            row = fn(*a, **kw)
            book.add_row(**row)  # <- culprit
            return row
        return wrapper
    return deco
