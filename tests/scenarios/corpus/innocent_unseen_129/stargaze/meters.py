import contextlib
import functools


def primed(fn):
    @functools.wraps(fn)
    def start(*a, **k):
        g = fn(*a, **k)
        next(g)
        return g
    return start


@primed
def running(names):
    sums, n = {k: 0.0 for k in names}, 0
    while True:
        row = yield {k: v / max(n, 1) for k, v in sums.items()}
        for k in names:
            sums[k] = sums[k] + row[k].detach()
        n += 1


@primed
def epoch_mean():
    """Sums whole losses; asked with None it gives the mean and begins anew."""
    total, n = 0.0, 0
    answer = None
    while True:
        value = yield answer
        if value is None:
            answer, total, n = (total / n).item(), 0.0, 0
        else:
            total, n, answer = total + value, n + 1, None


class Ledger:
    def __init__(self):
        self.rows = []
        self.open_spans = []

    @contextlib.contextmanager
    def span(self, **first):
        row = dict(first)
        self.open_spans.append(row)
        try:
            yield row
        finally:
            self.open_spans.pop()
            self.rows.append({k: float(v.detach()) if hasattr(v, "detach") else v for k, v in row.items()})
