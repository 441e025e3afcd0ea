from dataclasses import dataclass

import torch


@dataclass(frozen=True)
class Frame:
    pos: torch.Tensor
    vel: torch.Tensor


def cubic_cluster(n, spacing):
    axis = torch.arange(n, dtype=torch.float32) * spacing
    grid = torch.cartesian_prod(axis, axis, axis)
    pos = grid + 0.02 * torch.randn_like(grid)
    vel = 0.3 * torch.randn_like(grid)
    return Frame(pos, vel - vel.mean(0))


def velocity_verlet(frame, ff, dt):
    half = frame.vel + 0.5 * dt * ff.forces(frame.pos)
    pos = frame.pos + dt * half
    vel = half + 0.5 * dt * ff.forces(pos)
    return Frame(pos, vel)


class Simulation:
    def __init__(self, frame, ff, dt):
        self.frame = frame
        self.ff = ff
        self.dt = dt
        self.time = 0.0

    def run(self, n):
        frame = self.frame  # <- culprit
        for _ in range(n):
            frame = velocity_verlet(frame, self.ff, self.dt)
        self.time += n * self.dt
        self.frame = frame  # <- culprit
        return frame
