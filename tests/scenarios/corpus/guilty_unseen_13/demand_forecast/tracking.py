"""Weighted averages: one since the last report, one over the whole run."""
from collections import defaultdict


class MetricTracker:
    def __init__(self):
        self.lifetime = defaultdict(float)
        self.seen = defaultdict(int)
        self.reset_window()

    def reset_window(self):
        self.window = defaultdict(float)
        self.window_seen = defaultdict(int)

    def update(self, n, **values):
        for name, value in values.items():
            self._add(name, value, n)

    def _add(self, name, value, n):
        self.window[name] += float(value.detach() if hasattr(value, "detach") else value) * n
        self.window_seen[name] += n
        self.lifetime[name] += value * n  # <- culprit
        self.seen[name] += n

    def report(self):
        return "  ".join(f"{k} {self.window[k] / self.window_seen[k]:.4f}" for k in sorted(self.window))

    def summary(self):
        return {k: round(float(v if isinstance(v, float) else v.item()) / self.seen[k], 4)
                for k, v in self.lifetime.items()}
