from torch import nn


class FraudScorer(nn.Module):
    def __init__(self, n_bins):
        super().__init__()
        self.linear = nn.Linear(n_bins, 1)
        nn.init.zeros_(self.linear.weight)

    def forward(self, x):
        return self.linear(x).squeeze(-1)


class LossTracker:
    def __init__(self):
        self.total = 0.0
        self.count = 0

    def add(self, loss, n=1):
        self.total = self.total + loss  # <- culprit
        self.count += n
        return self.total / self.count

    def mean(self):
        return float(self.total) / max(1, self.count)
