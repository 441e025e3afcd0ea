import torch


class DriftTracker:
    """Exponentially weighted level of the forecast residual."""

    def __init__(self, rate):
        self.rate = rate
        self.drift = torch.zeros(())

    def correction(self):
        return 0.5 * self.drift  # <- culprit

    def observe(self, residual):
        self.drift = (1 - self.rate) * self.drift + self.rate * residual.mean()  # <- culprit
