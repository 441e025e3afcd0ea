import torch.nn.functional as F
from torch import nn


class VolForecaster(nn.Module):
    def __init__(self, lags, width=32):
        super().__init__()
        self.mix = nn.Sequential(nn.Linear(lags, width), nn.Tanh(), nn.Linear(width, 1))

    def forward(self, returns):
        return F.softplus(self.mix(returns.abs().log1p())).squeeze(-1) + 1e-3
