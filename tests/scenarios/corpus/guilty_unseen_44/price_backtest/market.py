import torch


def synthetic_market(days, features):
    x = torch.randn(days, features)
    weights = torch.randn(features) * 0.3
    drift = torch.linspace(0, 1, days)
    y = x @ weights + drift * x[:, 0] * x[:, 1] + 0.5 * torch.randn(days)
    return x, y


class WalkForward:
    """Overlapping stretches of days, oldest first."""

    def __init__(self, x, y, days, step):
        self.x, self.y = x, y
        self.days, self.step = days, step

    def __iter__(self):
        for a in range(0, len(self.x) - self.days + 1, self.step):
            yield self.x[a:a + self.days], self.y[a:a + self.days]
