class Welford:
    """Numerically stable running mean / variance."""

    def __init__(self):
        self.n = 0
        self.mean = 0.0
        self.m2 = 0.0

    def update(self, x):
        self.n += 1
        delta = x - self.mean
        self.mean = self.mean + delta / self.n  # <- culprit
        self.m2 = self.m2 + delta * (x - self.mean)  # <- culprit

    @property
    def std(self):
        return (float(self.m2) / max(self.n - 1, 1)) ** 0.5

    def summary(self):
        return f"{float(self.mean):.3f}±{self.std:.3f}"


class BinnedMeter:
    def __init__(self, upper, n_bins):
        self.width = -(-upper // n_bins)
        self.bins = [Welford() for _ in range(n_bins)]

    def update(self, keys, values):
        which = keys // self.width
        for i, b in enumerate(self.bins):
            sel = which == i
            if sel.any():
                b.update(values[sel].mean())  # <- culprit

    def __str__(self):
        return " | ".join(b.summary() for b in self.bins)
