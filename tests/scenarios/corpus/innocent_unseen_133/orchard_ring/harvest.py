import torch
from torch import nn


class YieldNet(nn.Module):
    def __init__(self):
        super().__init__()
        self.soil = nn.Bilinear(4, 3, 12)
        self.out = nn.Linear(12, 1)

    def forward(self, soil, sky):
        return self.out(torch.tanh(self.soil(soil, sky))).squeeze(-1)


def trees(n):
    for _ in range(n):
        soil, sky = torch.randn(12, 4), torch.randn(12, 3)
        yield soil, sky, soil[:, 0] * sky[:, 1] + 0.1 * torch.randn(12)
