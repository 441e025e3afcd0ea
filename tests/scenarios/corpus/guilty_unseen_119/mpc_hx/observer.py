import torch


class OffsetObserver:
    """Integrating observer for an additive output offset (offset-free MPC): d+ = d + gain * (y - yhat)"""

    def __init__(self, gain, n=2):
        self.gain = gain
        self.dist = torch.zeros(n)

    def correct(self, x_hat):
        return x_hat + self.dist

    def update(self, err):
        self.dist = torch.add(self.dist, err, alpha=self.gain)  # <- culprit

    def offset(self):
        return self.dist.detach()
