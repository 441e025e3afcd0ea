import torch
from torch import nn


class TravelTime(nn.Module):
    def __init__(self, stops=8):
        super().__init__()
        self.leg = nn.Sequential(nn.Linear(3, 16), nn.ReLU(), nn.Linear(16, 1), nn.Softplus())
        self.traffic = nn.Parameter(torch.ones(stops))

    def forward(self, x):
        return (self.leg(x).squeeze(-1) * self.traffic).sum(1)


def rounds(days, vans=20, stops=8):
    for day in range(days):
        x = torch.rand(vans, stops, 3)
        jam = 1.0 + 0.5 * (day % 7 in (0, 4))
        yield x, (x[..., 0] * 2 + x[..., 1] * x[..., 2]).sum(1) * jam
