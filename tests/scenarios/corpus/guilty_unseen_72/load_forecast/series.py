import math

import torch


def make_load(days):
    t = torch.arange(days * 24, dtype=torch.float32)
    daily = torch.sin(2 * math.pi * t / 24) + 0.4 * torch.sin(4 * math.pi * t / 24 + 1)
    weekly = 0.5 * torch.cos(2 * math.pi * t / 168)
    return daily + weekly + 0.15 * torch.randn(len(t))


class WindowSampler:
    def __init__(self, series, past, horizon):
        w = series.unfold(0, past + horizon, 1)
        self.x, self.y = w[:, :past], w[:, past:]

    def batch(self, n):
        i = torch.randint(len(self.x), (n,))
        return self.x[i], self.y[i]
