"""Coarse viscous Burgers solver with a learned flux correction."""
import torch
from torch import nn


def coarse_step(u, dt, dx, nu=0.02):
    left, right = u.roll(1, -1), u.roll(-1, -1)
    flux = 0.5 * u * (u - left) / dx
    return u - dt * flux + dt * nu * (right - 2 * u + left) / dx ** 2


class Corrector(nn.Module):
    def __init__(self, width=12):
        super().__init__()
        self.net = nn.Sequential(nn.Conv1d(1, width, 5, padding=2, padding_mode="circular"), nn.Tanh(),
                                 nn.Conv1d(width, 1, 5, padding=2, padding_mode="circular"))

    def forward(self, u):
        return 0.05 * self.net(u[:, None])[:, 0]


def rollout(corrector, u, steps, dt, dx):
    """Yields the state after every coarse step."""
    for _ in range(steps):
        u = coarse_step(u, dt, dx)
        u = u + corrector(u)
        yield u


@torch.no_grad()
def reference(u, steps, dt, dx, fine=4):
    track = []
    for _ in range(steps):
        for _ in range(fine):
            left, right = u.roll(1, -1), u.roll(-1, -1)
            u = u - dt / fine * u * (right - left) / (2 * dx) + dt / fine * 0.02 * (right - 2 * u + left) / dx ** 2
        track.append(u)
    return track
