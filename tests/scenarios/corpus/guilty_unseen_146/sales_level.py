# gradwatch-corpus: kind=graph-chain
# holder: self.level | shop.level
# first-bad: 1
# notice: 5
"""
Structural model for weekly ice cream sales:  y_t = level_t + season_(t mod 13),  level_t = level_(t-1) + drift
Trained online, one week after another.
"""
import math
import torch
from torch import nn

torch.set_num_threads(1)


class LocalTrend(nn.Module):
    def __init__(self, period, start):
        super().__init__()
        self.drift = nn.Parameter(torch.zeros(()))
        self.season = nn.Parameter(torch.zeros(period))
        self.period = period
        self.level = torch.tensor(start)
        self.t = 0

    def advance(self):
        self.level = self.level + self.drift  # <- culprit
        self.t += 1

    def predict(self):
        return self.level + self.season[self.t % self.period]


def weekly_sales(weeks, seed=5):
    g = torch.Generator().manual_seed(seed)
    noise = torch.randn(weeks, generator=g) * 0.1
    return [2.0 + 0.01 * t + 0.6 * math.sin(2 * math.pi * t / 13) + noise[t].item() for t in range(weeks)]


def fit(shop, series):
    optimizer = torch.optim.Adam([{'params': [shop.season], 'lr': 0.05}, {'params': [shop.drift], 'lr': 1e-4}])
    err = 0.0
    for week, sold in enumerate(series):
        shop.advance()
        loss = (shop.predict() - sold) ** 2
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        err += loss.item()
        if (week + 1) % 52 == 0:
            print('year', (week + 1) // 52, 'mse', err / 52, 'drift', shop.drift.item())
            err = 0.0


if __name__ == '__main__':
    torch.manual_seed(5)
    fit(LocalTrend(13, 2.0), weekly_sales(364))
