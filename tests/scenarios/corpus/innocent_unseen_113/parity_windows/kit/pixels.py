import torch
from torch import nn

SENSORS = ("s2", "l8", "modis")


class Pixels:
    def __init__(self, bands, classes):
        self.sensors = SENSORS
        self.mean = torch.randn(classes, bands)
        self.gain = {s: 1 + 0.3 * torch.randn(bands) for s in SENSORS}

    def draw(self, sensor, n=32):
        y = torch.randint(len(self.mean), (n,))
        return (self.mean[y] + 0.7 * torch.randn(n, self.mean.size(1))) * self.gain[sensor], y


class PixelNet(nn.Sequential):
    def __init__(self, bands, classes):
        super().__init__(nn.Linear(bands, 24), nn.BatchNorm1d(24), nn.ReLU(), nn.Linear(24, classes))
