# gradwatch-corpus: kind=graph-chain
# holder: self._belief | self.belief | ctrl._belief | ctrl.belief
# first-bad: 2
"""Gradient-based receding horizon control through a learned dynamics net."""
from typing import NamedTuple

import torch
from torch import nn

torch.manual_seed(11)
OBS, ACT, HORIZON = 6, 2, 5


class Rollout(NamedTuple):
    states: list
    cost: torch.Tensor

    @property
    def next_state(self):
        return self.states[1]  # <- culprit


class Dynamics(nn.Module):
    def __init__(self):
        super().__init__()
        self.net = nn.Sequential(nn.Linear(OBS + ACT, 32), nn.Tanh(), nn.Linear(32, OBS))

    def forward(self, s, a):
        return s + 0.2 * self.net(torch.cat([s, a], -1))


class Controller:
    def __init__(self, dynamics, goal, inner=2, lr=0.1):
        self.dynamics = dynamics
        self.goal = goal
        self.inner = inner
        self.lr = lr
        self._belief = torch.zeros(OBS)
        self._warm = torch.zeros(HORIZON, ACT)
        self.log = []

    @property
    def belief(self):
        return self._belief

    @belief.setter
    def belief(self, s):
        if not torch.isfinite(s).all():
            s = torch.zeros(OBS)
        self._belief = s  # <- culprit

    def _shifted(self, plan):
        return torch.cat([plan[1:], plan[-1:]]).detach()

    def imagine(self, plan):
        s = self.belief
        states, cost = [s], 0.0
        for a in plan.unbind(0):
            s = self.dynamics(s, a)
            states.append(s)
            cost = cost + (s - self.goal).pow(2).sum() + 0.01 * a.pow(2).sum()
        return Rollout(states, cost)

    def tick(self):
        plan = nn.Parameter(self._warm.clone())
        opt = torch.optim.Adam([plan], lr=self.lr)
        for _ in range(self.inner):
            roll = self.imagine(plan)
            opt.zero_grad()
            roll.cost.backward(inputs=[plan])
            opt.step()
        self._warm = self._shifted(plan)
        self._move(roll)
        self.log.append(roll.cost.item())
        return plan.detach()[0]

    def _move(self, roll):
        self.belief = roll.next_state  # <- culprit


def pretrain(dynamics, n=300):
    """Closed-form fit of the last layer; the rest stays random features."""
    s, a = torch.randn(n, OBS), torch.randn(n, ACT)
    push = torch.randn(ACT, OBS) * 0.8
    target = a @ push - 0.3 * s
    with torch.no_grad():
        z = dynamics.net[:2](torch.cat([s, a], -1))
        sol = torch.linalg.lstsq(z, target).solution
        dynamics.net[2].weight.copy_(sol.t())
        dynamics.net[2].bias.zero_()
    return dynamics.requires_grad_(False)


def main():
    dynamics = pretrain(Dynamics())
    ctrl = Controller(dynamics, goal=torch.linspace(-0.5, 0.5, OBS))
    for t in range(45):
        action = ctrl.tick()
        if t % 9 == 0:
            print(f"tick {t:2d} cost {ctrl.log[-1]:8.4f} action {[round(v, 2) for v in action.tolist()]}")
    print("mean cost of last ten", sum(ctrl.log[-10:]) / 10)


if __name__ == "__main__":
    main()
