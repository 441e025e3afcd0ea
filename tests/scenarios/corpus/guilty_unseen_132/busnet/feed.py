import torch


class DelayFeed:
    def __init__(self, stops):
        ring = torch.roll(torch.eye(stops), 1, 0)
        self.true = 0.6 * torch.eye(stops) + 0.35 * ring
        self.stops = stops

    def next(self, n):
        now = torch.relu(torch.randn(n, self.stops) * 2)
        return now, now @ self.true.T + 0.1 * torch.randn(n, self.stops)
