"""Metrics shared by the offline trainers of the ads team."""
import math

import torch


class Metric:
    def reset(self):
        raise NotImplementedError

    def compute(self) -> float:
        raise NotImplementedError


class WeightedMean(Metric):
    """Mean of a per-batch value, weighted by the batch's size."""

    def __init__(self):
        self.reset()

    def reset(self):
        self.num = torch.zeros(())
        self.den = 0

    def update(self, value, weight):
        self.num = self.num + value * weight  # <- culprit
        self.den += weight

    def compute(self):
        return (self.num / max(self.den, 1)).item()


class Calibration(Metric):
    """Sum of predicted clicks over sum of clicks."""

    def __init__(self):
        self.reset()

    def reset(self):
        self.predicted = 0.0
        self.clicks = 0.0

    def update(self, probs, labels):
        self.predicted += probs.sum().item()
        self.clicks += labels.sum().item()

    def compute(self):
        return self.predicted / self.clicks if self.clicks else math.nan


class MetricHub:
    def __init__(self, **metrics):
        self.metrics = metrics

    def __getitem__(self, name):
        return self.metrics[name]

    def on_batch(self, loss, logits, labels):
        self.metrics["logloss"].update(loss, labels.numel())  # <- culprit
        with torch.no_grad():
            self.metrics["calibration"].update(torch.sigmoid(logits), labels)

    def report(self):
        return "  ".join(f"{k}={m.compute():.4f}" for k, m in self.metrics.items())

    def reset(self):
        for m in self.metrics.values():
            m.reset()
