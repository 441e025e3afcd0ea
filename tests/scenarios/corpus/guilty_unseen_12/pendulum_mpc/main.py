# gradwatch-corpus: kind=graph-chain
# holder: plant.state | self.state | state | env.state
# first-bad: 1
"""Swing-up of a pendulum with gradient-based receding horizon control (term paper, Optimal Control II).
One gradient step on the torque plan per control tick, the way real-time iteration schemes do it."""
import math

import torch

from plant import Pendulum
from planner import Planner

torch.manual_seed(0)
torch.set_num_threads(1)

TICKS = 220
HORIZON = 7
log = {"cost": [], "angle": [], "torque": []}


def describe(tick):
    k = 60
    print("tick %4d  cost %8.3f  angle %6.2f  |torque| %.2f" % (
        tick, sum(log["cost"][-k:]) / k, log["angle"][-1],
        sum(abs(t) for t in log["torque"][-k:]) / k))


def control_tick(plant, planner):
    cost = planner.improve(plant)
    torque = planner.first_torque()
    plant.apply(torque)  # <- culprit
    planner.shift()
    log["cost"].append(cost)
    log["angle"].append(plant.angle())
    log["torque"].append(torque.item())


if __name__ == "__main__":
    plant = Pendulum(theta=math.pi, omega=0.1)
    planner = Planner(HORIZON, max_torque=4.0, lr=0.5)
    for tick in range(TICKS):
        control_tick(plant, planner)
        if (tick + 1) % 55 == 0:
            describe(tick + 1)
    print("final angle (0 = upright): %.2f" % plant.angle())
