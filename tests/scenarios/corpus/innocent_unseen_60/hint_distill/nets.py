import torch.nn as nn


class Residual(nn.Module):
    def __init__(self, d):
        super().__init__()
        self.f = nn.Sequential(nn.LayerNorm(d), nn.Linear(d, d), nn.GELU(), nn.Linear(d, d))

    def forward(self, x):
        return x + self.f(x)


class Tower(nn.Module):
    """Weight-shared stack: the same residual block is applied `depth` times."""

    def __init__(self, d_in, width, depth, classes):
        super().__init__()
        self.stem = nn.Linear(d_in, width)
        self.block = Residual(width)
        self.depth = depth
        self.head = nn.Linear(width, classes)

    def forward(self, x):
        x = self.stem(x)
        for _ in range(self.depth):
            x = self.block(x)
        return self.head(x)
