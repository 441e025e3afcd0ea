# gradwatch-corpus: kind=graph-chain
# holder: self.state | controller.state
# first-bad: 4
from __future__ import annotations

import logging
import statistics

import torch

from dynamics import Pendulum, PendulumParams
from planner import PlannerConfig, ShootingPlanner

log = logging.getLogger("mpc")


class RecedingHorizon:
    def __init__(self, batch: int = 16, seed: int = 3):
        gen = torch.Generator().manual_seed(seed)
        self.env = Pendulum(PendulumParams())
        self.planner = ShootingPlanner(self.env, PlannerConfig(), batch)
        self.state = self.env.reset(batch, gen)
        self.costs: list[float] = []

    def advance(self) -> float:
        plan, value = self.planner.solve(self.state)
        self.state = self.env.step(self.state, plan[0])  # <- culprit
        self.costs.append(value)
        return value

    def upright(self) -> float:
        with torch.no_grad():
            return torch.cos(self.state[:, 0]).gt(0.9).float().mean().item()


def main() -> None:
    logging.basicConfig(level=logging.INFO, format="%(message)s")
    controller = RecedingHorizon()
    for tick in range(450):
        controller.advance()
        if tick % 75 == 0:
            log.info(
                "tick %d cost %.3f upright %.2f",
                tick,
                statistics.fmean(controller.costs[-25:]),
                controller.upright(),
            )


if __name__ == "__main__":
    main()
