from torch import nn


class Residual(nn.Module):
    def __init__(self, c):
        super().__init__()
        self.a = nn.Conv1d(c, c, 3, padding=1)
        self.b = nn.Conv1d(c, c, 3, padding=1)
        self.act = nn.GELU()

    def forward(self, x):
        return x + self.b(self.act(self.a(x)))


class SpectraNet(nn.Module):
    def __init__(self, c=8):
        super().__init__()
        self.stem = nn.Conv1d(1, c, 7, stride=2, padding=3)
        self.trunk = Residual(c)
        self.pool = nn.AdaptiveAvgPool1d(12)
        self.out = nn.Sequential(nn.Flatten(), nn.Linear(12 * c, 32), nn.ReLU(), nn.Linear(32, 2))

    def forward(self, x):
        return self.out(self.pool(self.trunk(self.stem(x))))
