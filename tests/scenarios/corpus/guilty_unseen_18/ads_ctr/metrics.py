"""Online metrics of the ranking team."""
import math
from abc import ABC, abstractmethod

import torch


class Metric(ABC):
    @abstractmethod
    def update(self, *args):
        ...

    def reset(self):
        pass


class NormalizedEntropy(Metric):
    """Log loss over the log loss of always predicting the mean CTR."""

    def __init__(self):
        self.reset()

    def reset(self):
        self.log_loss, self.clicks, self.shown = 0.0, 0.0, 0

    @torch.no_grad()
    def update(self, prob, click):
        prob = prob.clamp(1e-6, 1 - 1e-6)
        ll = -(click * prob.log() + (1 - click) * (1 - prob).log())
        self.log_loss += ll.sum().item()
        self.clicks += click.sum().item()
        self.shown += click.numel()

    def value(self):
        ctr = min(max(self.clicks / self.shown, 1e-6), 1 - 1e-6)
        base = -(ctr * math.log(ctr) + (1 - ctr) * math.log(1 - ctr))
        return self.log_loss / self.shown / base


class CalibrationMeter(Metric):
    """Ratio of predicted over observed clicks for each slot, over the whole run."""

    def __init__(self, n_slots):
        self.n_slots = n_slots
        self.predicted = {s: 0.0 for s in range(n_slots)}
        self.observed = {s: 0.0 for s in range(n_slots)}

    def update(self, slots, prob, click):
        for slot in range(self.n_slots):
            mask = slots == slot
            if not mask.any():
                continue
            p_sum = prob[mask].sum()
            self.predicted[slot] = self.predicted[slot] + p_sum  # <- culprit
            self.observed[slot] += click[mask].sum().item()

    def ratios(self):
        return [
            float(self.predicted[s]) / max(self.observed[s], 1.0) for s in range(self.n_slots)
        ]
