# gradwatch-corpus: kind=graph-chain
# holder: self.pose | pilot.pose
# first-bad: 1
"""Receding-horizon steering of a small survey boat through a drift current.

At each control tick the thrust plan (H x 2) is improved by one gradient step, the first entry is given
to the vessel and the rest becomes the warm start of the next tick.
"""
from collections import deque
from dataclasses import dataclass, replace

import torch


@dataclass(frozen=True)
class Pose:
    xy: torch.Tensor
    speed: torch.Tensor
    heading: torch.Tensor

    def __format__(self, how):
        x, y = self.xy.tolist()
        return f"({x:+.2f}, {y:+.2f}) v={float(self.speed):.2f} psi={float(self.heading):+.2f}"


class Vessel:
    dt = 0.2
    drag = 0.35

    def __init__(self, current=(0.10, -0.06)):
        self.current = torch.tensor(current)

    def advance(self, pose: Pose, thrust) -> Pose:
        push, rudder = torch.tanh(thrust)
        heading = pose.heading + self.dt * rudder * (0.4 + pose.speed)
        speed = pose.speed + self.dt * (2.0 * push - self.drag * pose.speed)
        course = torch.stack([torch.cos(heading), torch.sin(heading)])
        return replace(pose, xy=pose.xy + self.dt * (speed * course + self.current),
                       speed=speed, heading=heading)

    def forecast(self, pose, plan):
        for thrust in plan:
            pose = self.advance(pose, thrust)
            yield pose


class Route:
    """Waypoints, visited in a cycle."""

    def __init__(self, *points, reach=0.6):
        self.points = deque(torch.tensor(p) for p in points)
        self.reach, self.passed = reach, 0

    @property
    def target(self):
        return self.points[0]

    def check(self, xy):
        if float((xy - self.target).norm()) < self.reach:
            self.points.rotate(-1)
            self.passed += 1


class Pilot:
    def __init__(self, vessel, route, horizon=10, gain=0.6):
        self.vessel, self.route, self.gain = vessel, route, gain
        self.pose = Pose(torch.zeros(2), torch.tensor(0.0), torch.tensor(0.3))
        self.plan = torch.zeros(horizon, 2)

    def cost(self, plan):
        toll = 0.02 * plan.square().sum()
        for k, pose in enumerate(self.vessel.forecast(self.pose, plan), 1):
            toll = toll + (pose.xy - self.route.target).square().sum() * (k / len(plan))
        return toll

    def improve(self):
        plan = self.plan.requires_grad_(True)
        toll = self.cost(plan)
        toll.backward(inputs=[plan])
        with torch.no_grad():
            plan -= self.gain * plan.grad / (1.0 + plan.grad.norm())
        return plan, toll.item()

    def act(self, plan):
        self.pose = self.vessel.advance(self.pose, plan[0])  # <- culprit
        self.plan = torch.cat([plan[1:], plan[-1:]]).detach()
        self.route.check(self.pose.xy)

    def tick(self):
        plan, toll = self.improve()
        self.act(plan)
        return toll


def sail(ticks=300, seed=2):
    torch.manual_seed(seed)
    pilot = Pilot(Vessel(), Route((2.0, 1.0), (2.5, -1.5), (-0.5, -1.0), (0.0, 0.5)))
    for t in range(ticks):
        toll = pilot.tick()
        if t % 50 == 0:
            print(f"t={t:3d} cost {toll:8.3f} {pilot.pose} passed {pilot.route.passed}")
    print("waypoints passed:", pilot.route.passed)


if __name__ == "__main__":
    sail()
