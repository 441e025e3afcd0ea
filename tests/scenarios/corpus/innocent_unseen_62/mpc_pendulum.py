# gradwatch-corpus: kind=none
"""Receding-horizon control of a pendulum with a model learned on the way.

At every control tick the plan is improved by a few augmented-Lagrangian steps
through a differentiable rollout, its first move is played, and the shifted plan
and the multipliers start the next tick. The model is refitted on short multi-step
predictions from a bounded log of the plant.
"""
import argparse
import math
from collections import deque

import torch
from torch import nn


class Plant:
    """Pendulum with friction, unknown to the controller."""

    def __init__(self):
        self.th, self.om = math.pi * 0.6, 0.0

    def state(self):
        return torch.tensor([math.sin(self.th), math.cos(self.th), self.om / 4])

    def push(self, torque, dt=0.05):
        self.om += dt * (9.0 * math.sin(self.th) - 0.2 * self.om + 6.0 * torque)
        self.th += dt * self.om
        return self.state()


class Model(nn.Module):
    def __init__(self, width=24):
        super().__init__()
        self.net = nn.Sequential(nn.Linear(4, width), nn.SiLU(), nn.Linear(width, 3))

    def forward(self, s, u):
        return s + 0.2 * self.net(torch.cat([s, u], dim=-1))


class Planner:
    def __init__(self, model, horizon, limit=0.25):
        self.model, self.horizon, self.limit = model, horizon, limit
        self.plan = torch.zeros(horizon, 1)
        self.multipliers = torch.zeros(horizon)
        self.rollout = []

    def simulate(self, s, controls):
        self.rollout.clear()
        for u in controls:
            s = self.model(s, u)
            self.rollout.append(s)
        return torch.stack(self.rollout)

    def improve(self, s0, steps=4, rate=0.1, rho=2.0):
        u = self.plan.detach().requires_grad_()
        for _ in range(steps):
            path = self.simulate(s0, u)
            cost = (1 - path[:, 1]).mean() + 0.1 * path[:, 2].square().mean()
            cost = cost + 0.01 * u.square().mean()
            violation = (path[:, 2].abs() - self.limit).relu()
            constraint = (self.multipliers * violation + 0.5 * rho * violation ** 2).mean()
            (gc,) = torch.autograd.grad(cost, u, retain_graph=True)
            (gv,) = torch.autograd.grad(constraint, u)
            step = gc / (gc.norm() + 1e-6) + gv.clamp(-1, 1)
            u = (u - rate * step).clamp(-1, 1).detach().requires_grad_()
        self.multipliers = (self.multipliers + 0.1 * violation.detach()).clamp(max=5.0)
        move = u[0].item()
        self.plan = torch.cat([u[1:], u[-1:]])
        self.multipliers = torch.cat([self.multipliers[1:], self.multipliers[-1:]])
        return move, cost.item()


def refit(model, opt, log, span=3, batch=16):
    """Multi-step prediction error over windows of the plant's log."""
    if len(log) <= span:
        return float("nan")
    entries = list(log)
    starts = torch.randint(len(entries) - span, (batch,)).tolist()
    s = torch.stack([entries[i][0] for i in starts])
    loss = 0.0
    for k in range(span):
        u = torch.tensor([[entries[i + k][1]] for i in starts])
        s = model(s, u)
        loss = loss + (s - torch.stack([entries[i + k][2] for i in starts])).square().mean()
    opt.zero_grad()
    loss.backward()
    opt.step()
    return loss.item()


def main():
    ap = argparse.ArgumentParser()
    ap.add_argument("--ticks", type=int, default=180)
    ap.add_argument("--horizon", type=int, default=10)
    ap.add_argument("--log", type=int, default=120)
    args = ap.parse_args()
    torch.set_num_threads(1)
    torch.manual_seed(0)
    plant, model = Plant(), Model()
    planner = Planner(model, args.horizon)
    opt = torch.optim.Adam(model.parameters(), lr=5e-3)
    log = deque(maxlen=args.log)
    for tick in range(args.ticks):
        s = plant.state()
        move, cost = planner.improve(s)
        move = max(-1.0, min(1.0, move + 0.1 * torch.randn(()).item()))
        log.append((s, move, plant.push(move)))
        err = refit(model, opt, log)
        if tick % 30 == 0:
            print(f"tick {tick:4d}  planned cost {cost:.3f}  model error {err:.5f}")


if __name__ == "__main__":
    main()
