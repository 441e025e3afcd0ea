from collections import defaultdict


class SummaryWriter:
    """In-memory stand-in for a TensorBoard writer."""

    def __init__(self):
        self.series = defaultdict(list)
        self._pending = []

    def add_scalar(self, tag, value, step):
        self.series[tag].append((step, value))

    def add_lazy(self, tag, thunk, step):
        self._pending.append((tag, step, thunk))

    def flush(self):
        for tag, step, thunk in self._pending:
            self.add_scalar(tag, thunk(), step)
        self._pending.clear()

    def tail(self, tag, n=3):
        return [(s, round(v, 4)) for s, v in self.series[tag][-n:]]

    def close(self):
        self.flush()
