from bisect import bisect_left


class SlidingWindow:
    def __init__(self, clock, horizon):
        self.clock = clock
        self.horizon = horizon
        self.stamps = []
        self.values = []

    def add(self, value):
        self.stamps.append(self.clock.now)
        self.values.append(value)
        self._drop_before(self.clock.now - self.horizon)

    def _drop_before(self, limit):
        cut = bisect_left(self.stamps, limit)
        del self.stamps[:cut], self.values[:cut]

    def mean(self):
        return sum(v.item() for v in self.values) / max(1, len(self.values))

    def __len__(self):
        return len(self.values)
