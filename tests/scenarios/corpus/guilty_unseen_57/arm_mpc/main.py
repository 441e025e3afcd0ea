# gradwatch-corpus: kind=graph-chain
# holder: self.x | plant.x | arm.x
# first-bad: 3
# notice: 16
"""Receding-horizon control of a two-joint arm: optimise torques, apply the first, shift, repeat."""
import math

import torch

from plant import Arm
from planner import ShootingPlanner


def goal(tick):
    return torch.tensor([math.sin(0.05 * tick), 0.5 * math.cos(0.05 * tick)])


def run(ticks=45):
    arm = Arm(dt=0.05)
    planner = ShootingPlanner(arm.dynamics, horizon=8, n_joints=2, inner=3)
    errs = []
    for tick in range(ticks):
        plan = planner.solve(arm.x, goal(tick))
        q = arm.apply(plan[0])  # <- culprit
        errs.append((q - goal(tick)).norm().item())
        if tick % 9 == 0:
            print(f"tick {tick:3d} tracking error {errs[-1]:.3f}")
    return errs


if __name__ == "__main__":
    torch.manual_seed(3)
    torch.set_num_threads(1)
    errs = run()
    print("mean tracking error", sum(errs) / len(errs))
