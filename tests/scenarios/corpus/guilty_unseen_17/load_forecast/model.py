import torch
from torch import nn


class QuantileForecaster(nn.Module):
    def __init__(self, n_sub, history, horizon, n_q, width=64):
        super().__init__()
        self.horizon, self.n_q = horizon, n_q
        self.site = nn.Parameter(torch.zeros(n_sub, width))
        self.encode = nn.Sequential(nn.Linear(history, width), nn.GELU(), nn.Linear(width, width))
        self.decode = nn.Sequential(nn.LayerNorm(width), nn.GELU(), nn.Linear(width, horizon * n_q))

    def forward(self, history):
        level = history.mean(-1, keepdim=True)
        z = self.encode(history - level) + self.site
        out = self.decode(z).unflatten(-1, (self.horizon, self.n_q))
        return out + level.unsqueeze(-1)


def pinball(forecast, target, q):
    error = target.unsqueeze(-1) - forecast
    return torch.maximum(q * error, (q - 1) * error).mean()
