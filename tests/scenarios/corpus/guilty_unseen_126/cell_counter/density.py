import torch
from torch import nn


class DensityNet(nn.Module):
    def __init__(self):
        super().__init__()
        self.body = nn.Sequential(nn.Conv2d(1, 6, 3, padding=1), nn.ReLU(), nn.Conv2d(6, 1, 1))

    def forward(self, img):
        return self.body(img)


def count_cells(density, floor=0.3):
    return [len(torch.nonzero(d > floor)) for d in density]  # <- culprit


class CountTask:
    def __init__(self, net):
        self.net = net

    def density_loss(self, density, dots):
        return nn.functional.mse_loss(density, dots)

    def count_loss(self, density, dots):
        pred = torch.tensor(count_cells(density), dtype=torch.float32)  # <- culprit
        return (pred - dots.sum((1, 2, 3))).abs().mean()

    def loss(self, img, dots, stage):
        return getattr(self, stage + "_loss")(self.net(img), dots)
