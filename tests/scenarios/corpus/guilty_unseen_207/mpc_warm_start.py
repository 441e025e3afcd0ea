# gradwatch-corpus: kind=graph-chain
# holder: self.plan | planner.plan
# first-bad: 1
"""Gradient-based model predictive control of a cart with a learned model."""
import random
from collections import deque
from dataclasses import dataclass

import torch
from torch import nn
import torch.nn.functional as F


@dataclass
class MpcConfig:
    horizon: int = 6
    inner: int = 2
    lr: float = 0.5
    steps: int = 420
    batch: int = 32


class Cart:
    def __init__(self, seed):
        self.gen = torch.Generator().manual_seed(seed)
        self.state = torch.zeros(2)

    def step(self, force):
        pos, vel = self.state
        vel = 0.95 * vel + 0.2 * torch.tanh(force)
        noise = 0.01 * torch.randn(2, generator=self.gen)
        self.state = torch.stack([pos + 0.2 * vel, vel]) + noise
        return self.state.clone()


class Dynamics(nn.Module):
    def __init__(self):
        super().__init__()
        self.net = nn.Sequential(nn.Linear(3, 24), nn.SiLU(), nn.Linear(24, 2))

    def forward(self, state, action):
        return state + self.net(torch.cat([state, action], dim=-1))


class Planner:
    def __init__(self, model, cfg):
        self.model = model
        self.cfg = cfg
        self.plan = torch.zeros(cfg.horizon, 1, requires_grad=True)

    def rollout_cost(self, state, goal):
        cost = 0.05 * self.plan.pow(2).sum()
        for action in self.plan:
            state = self.model(state, action)
            cost = cost + (state[0] - goal).pow(2)
        return cost

    def replan(self, state, goal):
        for _ in range(self.cfg.inner):
            cost = self.rollout_cost(state, goal)
            grad, = torch.autograd.grad(cost, self.plan)
            self.plan = (self.plan - self.cfg.lr * grad).clamp(-2, 2)  # <- culprit
        first = self.plan[0].detach()
        self.plan = torch.cat([self.plan[1:], self.plan[-1:]])  # <- culprit
        return first, cost.item()


def fit_model(model, optim, memory, rng, n):
    rows = rng.choices(memory, k=n)
    state, action, target = (torch.stack(column) for column in zip(*rows))
    loss = F.mse_loss(model(state, action), target)
    optim.zero_grad()
    loss.backward()
    optim.step()
    return loss.item()


def main(cfg=MpcConfig()):
    torch.manual_seed(31)
    rng = random.Random(31)
    cart, model = Cart(seed=31), Dynamics()
    planner = Planner(model, cfg)
    optim = torch.optim.Adam(model.parameters(), lr=3e-3)
    memory = deque(maxlen=1000)
    state = cart.state.clone()
    for step in range(cfg.steps):
        goal = 1.0 if (step // 70) % 2 == 0 else -1.0
        action, cost = planner.replan(state, goal)
        action = action + 0.1 * rng.gauss(0, 1)
        after = cart.step(action[0])
        memory.append((state, action, after))
        state = after
        loss = fit_model(model, optim, memory, rng, cfg.batch)
        if step % 70 == 69:
            print(step, f"pos {state[0].item():+.2f} goal {goal:+.0f} cost {cost:.3f} model {loss:.5f}")


if __name__ == "__main__":
    main()
