from dataclasses import dataclass

import torch

from .lagrangian import Lagrangian


@dataclass
class SolverConfig:
    seed: int = 4
    hidden: int = 12
    points: int = 24
    stiffness: float = 1.0
    steps: int = 500
    lr: float = 1e-3
    rho: float = 0.5
    rho_max: float = 5.0
    growth: float = 1.005


class BeamSolver:
    def __init__(self, shape, cfg):
        self.shape, self.cfg = shape, cfg
        self.lagr = Lagrangian(4, cfg.rho, cfg.rho_max, cfg.growth)
        self.opt = torch.optim.Adam(shape.parameters(), lr=cfg.lr)

    def energy(self):
        x = torch.rand(self.cfg.points, 1)
        w, _, w2 = self.shape.with_slopes(x)
        load = torch.sin(torch.pi * x.detach())
        return (0.5 * self.cfg.stiffness * w2.pow(2) - load * w).mean()

    def clamps(self):
        w, w1, _ = self.shape.with_slopes(torch.tensor([[0.0], [1.0]]))
        return torch.cat([w.flatten(), w1.flatten()])

    def solve(self):
        for it in range(self.cfg.steps):
            c = self.clamps()
            loss = self.energy() + self.lagr.term(c)
            self.opt.zero_grad()
            loss.backward()
            self.opt.step()
            self.lagr.ascend(c)
