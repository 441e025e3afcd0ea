class Welford:
    """Streaming mean of a scalar series."""

    def __init__(self):
        self.n = 0
        self.total = 0.0

    def push(self, value):
        self.n += 1
        self.total = self.total + value  # <- culprit

    @property
    def mean(self):
        return self.total / max(self.n, 1)
