"""Differential-drive kinematics with a learned wheel slip."""
from dataclasses import dataclass

import torch
from torch import nn

from geometry import heading_vector, wrap_


@dataclass
class Pose:
    position: torch.Tensor
    heading: torch.Tensor

    @classmethod
    def origin(cls, n):
        return cls(torch.zeros(n, 2), torch.zeros(n))


class SlipModel(nn.Module):
    """Fraction of the commanded wheel speed that reaches the ground, from speeds and terrain."""

    def __init__(self, terrain_dim, hidden=32):
        super().__init__()
        self.net = nn.Sequential(nn.Linear(2 + terrain_dim, hidden), nn.ELU(),
                                 nn.Linear(hidden, hidden), nn.ELU(), nn.Linear(hidden, 2))

    def forward(self, wheels, terrain):
        return 0.6 + 0.4 * torch.tanh(self.net(torch.cat([wheels, terrain], dim=-1)))


class DiffDrive:
    def __init__(self, wheel_base=0.4, dt=0.15):
        self.wheel_base, self.dt = wheel_base, dt

    def step(self, pose, wheels):
        left, right = wheels.unbind(-1)
        speed = 0.5 * (left + right)
        heading = pose.heading + self.dt * (right - left) / self.wheel_base
        position = pose.position + self.dt * speed.unsqueeze(-1) * heading_vector(heading)
        return Pose(position, wrap_(heading))  # <- culprit

    def rollout(self, pose, wheels, slip=None, terrain=None):
        """wheels: (batch, time, 2); yields the pose after each step."""
        for t in range(wheels.shape[1]):
            w = wheels[:, t]
            if slip is not None:
                w = w * slip(w, terrain[:, t])
            pose = self.step(pose, w)
            yield pose
