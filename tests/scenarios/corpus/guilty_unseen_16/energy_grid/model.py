import torch
from torch import nn


class LoadForecaster(nn.Module):
    QUANTILES = (0.1, 0.5, 0.9)

    def __init__(self, history=48, calendar=4, horizon=12, dim=48):
        super().__init__()
        self.horizon = horizon
        self.past = nn.Sequential(nn.Conv1d(1, 8, 7, stride=2, padding=3), nn.ReLU(), nn.Flatten(),
                                  nn.Linear(8 * (history // 2), dim))
        self.when = nn.Linear(calendar, dim)
        self.head = nn.Sequential(nn.ReLU(), nn.Linear(dim, dim), nn.ReLU(),
                                  nn.Linear(dim, horizon * len(self.QUANTILES)))

    def forward(self, window, calendar):
        h = self.past(window.unsqueeze(1)) + self.when(calendar)
        return self.head(h).view(-1, self.horizon, len(self.QUANTILES))

    def pinball(self, quantiles, target):
        q = torch.tensor(self.QUANTILES)
        miss = target.unsqueeze(-1) - quantiles
        return torch.maximum(q * miss, (q - 1) * miss).mean()
