import torch


class UserStream:
    """Each user has a slightly different map from eye features to the screen."""

    def __init__(self, inputs, outputs, stay=24):
        self.common = torch.randn(outputs, inputs) / inputs ** 0.5
        self.stay = stay
        self.count = 0
        self.own = self.common

    def batch(self, n):
        x = torch.randn(n, self.common.shape[1])
        return x, torch.tanh(x @ self.own.T) + 0.02 * torch.randn(n, self.common.shape[0])

    def next(self):
        if self.count % self.stay == 0:
            self.own = self.common + 0.15 * torch.randn_like(self.common)
        self.count += 1
        return self.batch(10), self.batch(16)
