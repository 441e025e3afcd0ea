import torch


class Metric:
    def update(self, value, weight=1):
        raise NotImplementedError

    def compute(self):
        raise NotImplementedError


class WeightedMean(Metric):
    def __init__(self):
        self.total = torch.zeros(())
        self.weight = 0

    def update(self, value, weight=1):
        self.total = self.total + value * weight  # <- culprit
        self.weight += weight

    def compute(self):
        return float(self.total) / max(self.weight, 1)


class Peak(Metric):
    def __init__(self):
        self.value = float("-inf")

    def update(self, value, weight=1):
        self.value = max(self.value, float(value))

    def compute(self):
        return self.value


class MetricGroup:
    def __init__(self, **metrics):
        self._metrics = metrics

    def __getitem__(self, key):
        return self._metrics[key]

    def update(self, weight=1, **values):
        for key, value in values.items():
            self._metrics[key].update(value, weight)

    def summary(self):
        return ", ".join(f"{k}={m.compute():.4f}" for k, m in self._metrics.items())
