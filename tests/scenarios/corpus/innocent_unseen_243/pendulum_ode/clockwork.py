import torch
from torch import nn


class ForceLaw(nn.Module):
    def __init__(self, pendulums, width):
        super().__init__()
        self.pendulums = pendulums
        self.net = nn.Sequential(nn.Linear(2 * pendulums, width), nn.Tanh(), nn.Linear(width, pendulums))

    def forward(self, state):
        speed = state[:, self.pendulums :]
        return torch.cat([speed, self.net(state)], dim=1)


class Workbench:
    """Ground truth from fine symplectic steps."""

    def __init__(self, pendulums):
        self.pendulums = pendulums
        self.link = 0.4 * torch.rand(pendulums, pendulums)
        self.link = 0.5 * (self.link + self.link.t())

    def force(self, angle):
        gap = angle.unsqueeze(2) - angle.unsqueeze(1)
        return -torch.sin(angle) - (self.link * gap).sum(2)

    def swing(self, swings, length, dt, fine=4):
        angle = torch.randn(swings, self.pendulums) * 0.8
        speed = torch.zeros_like(angle)
        start = torch.cat([angle, speed], dim=1)
        track = []
        for _ in range(length):
            for _ in range(fine):
                speed = speed + dt / fine * self.force(angle)
                angle = angle + dt / fine * speed
            track.append(torch.cat([angle, speed], dim=1))
        return start, torch.stack(track)
