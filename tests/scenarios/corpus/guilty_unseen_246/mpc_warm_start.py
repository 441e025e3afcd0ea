# gradwatch-corpus: kind=graph-chain
# holder: self.plan | planner.plan
# first-bad: 1
import math
from dataclasses import dataclass

import torch


@dataclass
class MpcConfig:
    horizon: int = 25
    dt: float = 0.1
    step_size: float = 0.15
    control_ticks: int = 140
    effort_weight: float = 0.02
    seed: int = 5


class UnicycleModel:
    """Differentiable dynamics of the delivery robot."""

    def __init__(self, dt):
        self.dt = dt

    def advance(self, pose, command):
        x, y, heading = pose
        speed = torch.sigmoid(command[0]) * 1.5
        turn = torch.tanh(command[1]) * 2.0
        nx = x + self.dt * speed * torch.cos(heading)
        ny = y + self.dt * speed * torch.sin(heading)
        nh = heading + self.dt * turn
        return nx, ny, nh


class GradientPlanner:
    def __init__(self, cfg, dynamics):
        self.cfg = cfg
        self.dynamics = dynamics
        self.plan = torch.zeros(cfg.horizon, 2, requires_grad=True)
        self.jitter = torch.Generator().manual_seed(cfg.seed)

    def cost(self, pose, goal):
        total = self.cfg.effort_weight * self.plan.pow(2).sum()
        state = tuple(pose)
        for t in range(self.cfg.horizon):
            state = self.dynamics.advance(state, self.plan[t])
            dist = (state[0] - goal[0]).pow(2) + (state[1] - goal[1]).pow(2)
            total = total + dist / self.cfg.horizon
        return total

    def improve(self, pose, goal):
        cost = self.cost(pose, goal)
        (direction,) = torch.autograd.grad(cost, self.plan)
        norm = direction.norm().clamp(min=1.0)
        noise = 0.01 * torch.randn(self.plan.shape, generator=self.jitter)
        self.plan = self.plan - self.cfg.step_size * direction / norm + noise  # <- culprit
        return cost.item()

    def first_command(self):
        return self.plan[0].detach()


class Robot:
    def __init__(self, dynamics):
        self.dynamics = dynamics
        self.pose = torch.zeros(3)

    def execute(self, command):
        with torch.no_grad():
            moved = self.dynamics.advance(tuple(self.pose), command)
            self.pose = torch.stack(moved)


def goals():
    angle = 0.0
    while True:
        yield torch.tensor([2.0 * math.cos(angle), 2.0 * math.sin(angle)])
        angle += 0.02


def main():
    cfg = MpcConfig()
    torch.manual_seed(cfg.seed)
    dynamics = UnicycleModel(cfg.dt)
    planner = GradientPlanner(cfg, dynamics)
    robot = Robot(dynamics)
    goal_source = goals()
    for tick in range(cfg.control_ticks):
        goal = next(goal_source)
        cost = planner.improve(robot.pose, goal)
        robot.execute(planner.first_command())
        if tick % 35 == 0:
            gap = (robot.pose[:2] - goal).norm().item()
            print(f"tick {tick} cost {cost:.3f} gap {gap:.3f}")
    print("pose", [round(v, 2) for v in robot.pose.tolist()])


if __name__ == "__main__":
    main()
