import torch
from torch import nn


class DeadReckoner(nn.Module):
    def __init__(self, robots, hz):
        super().__init__()
        self.dt = 1.0 / hz
        self.drift = nn.Parameter(torch.zeros(robots))
        self.wheel_scale = nn.Parameter(torch.ones(robots))
        self.heading = torch.zeros(robots)

    def turn(self, gyro):
        rate = gyro * self.dt
        self.heading = self.heading + rate - self.drift  # <- culprit
        return self.heading

    def forward(self, gyro, wheel):
        th = self.turn(gyro)
        dist = wheel * self.wheel_scale * self.dt
        return torch.stack([dist * th.cos(), dist * th.sin()], dim=-1)
