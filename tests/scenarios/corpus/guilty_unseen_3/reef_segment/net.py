import torch
from torch import nn


class CoverNet(nn.Module):
    def __init__(self):
        super().__init__()
        self.enc = nn.Conv2d(3, 8, 3, padding=1, stride=2)
        self.mid = nn.Conv2d(8, 8, 3, padding=1)
        self.dec = nn.ConvTranspose2d(8, 1, 2, stride=2)

    def forward(self, x):
        return torch.sigmoid(self.dec(torch.relu(self.mid(torch.relu(self.enc(x)))))).squeeze(1)

    @staticmethod
    def dice(heat, y):
        inter = (heat * y).sum((1, 2))
        return (1 - (2 * inter + 1) / (heat.sum((1, 2)) + y.sum((1, 2)) + 1)).mean()


def tile(n, batch=4, side=24):
    g = torch.Generator().manual_seed(n)
    coarse = torch.randn(batch, 1, 4, 4, generator=g)
    y = (nn.functional.interpolate(coarse, size=(side, side), mode="bilinear") > 0).float()[:, 0]
    return y[:, None] * torch.tensor([0.8, 0.2, 0.4])[:, None, None] + 0.5 * torch.randn(batch, 3, side, side, generator=g), y
