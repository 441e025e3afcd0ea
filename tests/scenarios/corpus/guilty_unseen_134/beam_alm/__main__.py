# gradwatch-corpus: kind=graph-held
# holder: self.lam | constraints.lam | lagr.lam | solver.lagr.lam
# first-bad: 1
# notice: 8
"""Deflection of a clamped beam: network for the shape, augmented Lagrangian for the clamps."""
import torch

torch.set_num_threads(1)

from .shape import BeamShape
from .solver import BeamSolver, SolverConfig


def main():
    cfg = SolverConfig()
    torch.manual_seed(cfg.seed)
    solver = BeamSolver(BeamShape(cfg.hidden), cfg)
    solver.solve()
    print("multipliers", [round(float(v), 3) for v in solver.lagr.lam])


main()
