from dataclasses import dataclass

import torch


@dataclass
class SimConfig:
    g: float = 9.81
    drag: float = 0.02
    dt: float = 0.08
    n: int = 24


class CatapultSim:
    def __init__(self, cfg, recorder=None):
        self.cfg = cfg
        self.recorder = recorder

    def throw(self, angle, power, wind, shot):
        c = self.cfg
        x = torch.zeros_like(wind)
        y = torch.ones_like(wind)
        vx = power * torch.cos(angle)
        vy = power * torch.sin(angle)
        for t in range(c.n):
            rx, ry = vx - wind, vy
            sp = torch.sqrt(rx * rx + ry * ry + 1e-6)
            vx = vx - c.dt * c.drag * sp * rx
            vy = vy - c.dt * (c.g + c.drag * sp * ry)
            x = x + c.dt * vx
            y = y + c.dt * vy
            if self.recorder is not None:
                self.recorder(shot, t, x, y)  # <- culprit
        # extrapolate to the ground with the last speed (good enough)
        tt = y / (vy.abs() + 0.5)
        return x + vx * tt
