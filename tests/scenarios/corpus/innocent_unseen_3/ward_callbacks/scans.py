import torch
from torch import nn


class ScanNet(nn.Module):
    def __init__(self, classes=3):
        super().__init__()
        self.features = nn.Sequential(nn.Conv2d(1, 12, 3, padding=1), nn.BatchNorm2d(12), nn.ReLU(), nn.MaxPool2d(2),
                                      nn.Conv2d(12, 24, 3, padding=1), nn.BatchNorm2d(24), nn.ReLU())
        self.head = nn.Linear(24, classes)

    def forward(self, x):
        return self.head(self.features(x).mean((2, 3)))


class ScanSource:
    def __init__(self, n, batch, side=20):
        g = torch.Generator().manual_seed(3)
        y = torch.randint(3, (n + 160,), generator=g)
        img = torch.randn(n + 160, 1, side, side, generator=g)
        for i, c in enumerate(y.tolist()):
            r, col = torch.randint(3, side - 6, (2,), generator=g).tolist()
            img[i, 0, r:r + 2 + c, col:col + 5 - c] += 2.2
        self.batch, self.x, self.y, self.n = batch, img, y, n

    def train(self):
        for idx in torch.randperm(self.n).split(self.batch):
            yield self.x[idx], self.y[idx]

    def held_out(self):
        yield from zip(self.x[self.n:].split(40), self.y[self.n:].split(40))
