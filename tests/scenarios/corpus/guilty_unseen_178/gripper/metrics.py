import torch


class Metric:
    def update(self, value, weight=1):
        raise NotImplementedError

    def compute(self):
        raise NotImplementedError


class WeightedMean(Metric):
    def __init__(self):
        self.weighted = 0.0
        self.weight = 0

    def update(self, value, weight=1):
        self.weighted = self.weighted + value * weight  # <- culprit
        self.weight += weight

    def compute(self):
        return float(self.weighted) / max(self.weight, 1)


class Peak(Metric):
    def __init__(self):
        self.best = -float("inf")

    def update(self, value, weight=1):
        self.best = max(self.best, float(value))

    def compute(self):
        return self.best


class MetricCollection:
    def __init__(self, **metrics):
        self.metrics = metrics

    def log(self, weight, **values):
        for name, value in values.items():
            self.metrics[name].update(value, weight)

    def compute(self):
        return {name: round(metric.compute(), 4) for name, metric in self.metrics.items()}
