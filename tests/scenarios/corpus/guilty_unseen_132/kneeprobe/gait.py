import torch
from torch import nn


def strides(n, t=16):
    phase = torch.rand(n, 1) * 6.28
    tt = torch.linspace(0, 6.28, t)
    thigh = torch.sin(tt + phase)
    shank = torch.sin(tt + phase - 0.7)
    imu = torch.stack([thigh, shank], 1) + 0.05 * torch.randn(n, 2, t)
    return imu, (thigh - shank)


class GaitNet(nn.Module):
    def __init__(self):
        super().__init__()
        self.thigh = nn.Linear(16, 12)
        self.shank = nn.Linear(16, 12)
        self.fuse = nn.Linear(24, 16)
        self.angle = nn.Linear(16, 16)

    def forward(self, imu):
        z = torch.cat([self.thigh(imu[:, 0]), self.shank(imu[:, 1])], 1).relu()
        return self.angle(torch.tanh(self.fuse(z)))
