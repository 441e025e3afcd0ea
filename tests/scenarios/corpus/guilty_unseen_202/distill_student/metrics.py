from collections import defaultdict

import torch


class MetricTracker:
    def __init__(self, window=None):
        self.window = window
        self._sum = defaultdict(lambda: torch.zeros(()))
        self._count = defaultdict(int)

    def update(self, n=1, **values):
        for name, value in values.items():
            value = torch.as_tensor(value, dtype=torch.float32)
            self._sum[name] = self._sum[name] + value * n  # <- culprit
            self._count[name] += n

    def mean(self, name):
        return float(self._sum[name]) / max(1, self._count[name])

    def summary(self):
        return " ".join(f"{k}={self.mean(k):.4f}" for k in self._sum)
