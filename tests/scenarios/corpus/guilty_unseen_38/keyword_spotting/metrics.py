from types import SimpleNamespace


class Scoreboard:
    """Weighted means over the whole run; metrics appear as they are recorded."""

    def __init__(self):
        self.seen = 0
        self.sums = SimpleNamespace()

    def record(self, count, **values):
        self.seen += count
        for key, value in values.items():
            setattr(self.sums, key, getattr(self.sums, key, 0.0) + count * value)  # <- culprit

    def mean(self, key):
        return float(getattr(self.sums, key)) / max(1, self.seen)

    def __str__(self):
        return "  ".join(f"{k} {self.mean(k):.3f}" for k in vars(self.sums))
