import torch
import torch.nn as nn


class Dynamics(nn.Module):
    def __init__(self, width=32):
        super().__init__()
        self.net = nn.Sequential(nn.Linear(2, width), nn.Tanh(), nn.Linear(width, 2))

    def forward(self, s):
        return 0.1 * self.net(s)


def pendulum(n, steps, gen, dt=0.1):
    theta = 2 * torch.rand(n, generator=gen) - 1
    omega = torch.randn(n, generator=gen) * 0.5
    path = [torch.stack([theta, omega], 1)]
    for _ in range(steps - 1):
        omega = omega - dt * torch.sin(theta)
        theta = theta + dt * omega
        path.append(torch.stack([theta, omega], 1))
    return path
