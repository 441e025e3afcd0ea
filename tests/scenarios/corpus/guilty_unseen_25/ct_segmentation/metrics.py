import numpy as np


class EpochMetric:
    """collects everything, computes at the end of the epoch"""

    def __init__(self):
        self.reset()

    def reset(self):
        self._preds, self._targets = [], []

    def update(self, pred, target):
        self._preds.append(pred.detach().sigmoid().cpu().numpy())  # <- culprit
        self._targets.append(target.cpu().numpy().astype(np.float32))  # <- culprit

    def compute(self):
        raise NotImplementedError


class DiceAtBestThreshold(EpochMetric):
    def __init__(self, thresholds=(0.3, 0.5, 0.7)):
        super().__init__()
        self.thresholds = thresholds

    def compute(self):
        p, t = self._preds[-1], self._targets[-1]
        return max(float(2 * ((p > th) * t).sum() / ((p > th).sum() + t.sum() + 1)) for th in self.thresholds)
