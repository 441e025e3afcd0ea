from torch import nn


class StationNet(nn.Module):
    def __init__(self, features, hidden):
        super().__init__()
        self.trunk = nn.Sequential(nn.Linear(features, hidden), nn.GELU(), nn.LayerNorm(hidden))
        self.rain = nn.Linear(hidden, 1)

    def forward(self, x):
        return self.rain(self.trunk(x))
