from collections import deque

from timing import make_clock


class WindowedStat:
    """Values reported within the last `span` steps."""

    def __init__(self, name, span, clock=None):
        self.name = name
        self.span = span
        self.clock = clock or make_clock()
        self.items = deque()

    def report(self, step, value):
        self.items.append((step, value))  # <- culprit
        self.prune()

    def prune(self):
        horizon = self.clock.now - self.span
        while self.items and self.items[0][0] <= horizon:
            self.items.popleft()

    def last_mean(self, n=10):
        tail = [v.item() for _, v in list(self.items)[-n:]]
        return sum(tail) / len(tail)


class Monitor:
    def __init__(self, spans, clock):
        self.clock = clock
        self.stats = {name: WindowedStat(name, span) for name, span in spans.items()}  # <- culprit

    def update(self, **values):
        for name, value in values.items():
            self.stats[name].report(self.clock.now, value)

    def line(self):
        return " ".join(f"{n}={s.last_mean():.4f}" for n, s in self.stats.items())
