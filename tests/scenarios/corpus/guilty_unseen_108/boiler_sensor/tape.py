import torch


class Tape:
    """Oxygen readings of a window; later ones may be overwritten by estimates."""

    def __init__(self, readings):
        self.values = readings.clone()

    def last(self, t, lags):
        return self.values[:, t - lags:t]

    def write(self, t, estimate, own_share):
        if own_share <= 0:
            return
        own = torch.rand(len(estimate)) < own_share
        self.values[:, t] = torch.where(own, estimate, self.values[:, t])  # <- culprit
