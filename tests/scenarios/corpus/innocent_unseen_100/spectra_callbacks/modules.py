from torch import nn


class Residual(nn.Module):
    def __init__(self, inner):
        super().__init__()
        self.inner = inner

    def forward(self, x):
        return x + self.inner(x)


class PeakNet(nn.Module):
    def __init__(self, bins, peaks, width=32):
        super().__init__()
        block = lambda: Residual(nn.Sequential(nn.LayerNorm(width), nn.Linear(width, width), nn.GELU()))
        self.net = nn.Sequential(nn.Linear(bins, width), block(), block(), nn.Linear(width, peaks), nn.Sigmoid())

    def forward(self, x):
        return self.net(x)
