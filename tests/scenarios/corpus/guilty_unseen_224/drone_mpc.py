# gradwatch-corpus: kind=graph-chain
# holder: self.belief | pilot.belief
# first-bad: 2
"""Receding-horizon pilot for a quadrotor in gusts; plans thrusts by gradient."""
from dataclasses import dataclass, field

import torch
from torch import nn


@dataclass
class PilotConfig:
    horizon: int = 5
    inner_steps: int = 2
    step_size: float = 0.3
    ticks: int = 100
    weights: dict = field(default_factory=lambda: {"goal": 1.0, "effort": 0.02})


class Registry(dict):
    def register(self, name):
        def wrap(fn):
            self[name] = fn
            return fn
        return wrap


COSTS = Registry()


@COSTS.register("goal")
def goal_cost(states, thrusts, goal):
    return (states[:, :3] - goal).pow(2).sum(1).mean()


@COSTS.register("effort")
def effort_cost(states, thrusts, goal):
    return thrusts.pow(2).mean()


class Airframe(nn.Module):
    def __init__(self):
        super().__init__()
        self.drag = nn.Sequential(nn.Linear(6, 16), nn.Tanh(), nn.Linear(16, 3))
        for p in self.parameters():
            p.requires_grad_(False)

    def forward(self, state, thrust):
        pos, vel = state[:3], state[3:]
        acc = torch.tanh(thrust) * 2.0 - 0.3 * self.drag(state) - 0.1 * vel
        vel = vel + 0.1 * acc
        pos = pos + 0.1 * vel
        return torch.cat([pos, vel])


class Pilot:
    def __init__(self, frame, config):
        self.frame = frame
        self.config = config
        self.belief = torch.zeros(6)
        self.plan = torch.zeros(config.horizon, 3)
        self.log = []

    def rollout(self, thrusts):
        state = self.belief
        states = []
        for u in thrusts:
            state = self.frame(state, u)
            states.append(state)
        return torch.stack(states)

    def cost(self, thrusts, goal):
        states = self.rollout(thrusts)
        total = 0.0
        for name, weight in self.config.weights.items():
            total = total + weight * COSTS[name](states, thrusts, goal)
        return total

    def improve(self, goal):
        for _ in range(self.config.inner_steps):
            thrusts = self.plan.detach().requires_grad_(True)
            cost = self.cost(thrusts, goal)
            grad, = torch.autograd.grad(cost, [thrusts])
            self.plan = thrusts - self.config.step_size * grad  # <- culprit
        return cost.item()

    def tick(self, goal, gust):
        value = self.improve(goal)
        command = self.plan[0]
        self.belief = self.frame(self.belief, command) + gust  # <- culprit
        self.plan = torch.cat([self.plan[1:], self.plan[-1:]])
        self.log.append(value)


def main():
    torch.manual_seed(9)
    pilot = Pilot(Airframe(), PilotConfig())
    goal = torch.tensor([1.0, -0.5, 2.0])
    for k in range(pilot.config.ticks):
        gust = 0.01 * torch.randn(6)
        pilot.tick(goal, gust)
        if k % 20 == 0:
            print(k, round(pilot.log[-1], 4))
    print("final", [round(v, 2) for v in pilot.belief[:3].tolist()])


if __name__ == "__main__":
    main()
