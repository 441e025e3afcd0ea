# gradwatch-corpus: kind=graph-held
# holder: self.latest | trainer.latest | self.latest.parent | rollout.parent | roll.parent | trainer.latest.parent | roll
# first-bad: 1
# notice: 8
"""Learning a cart-pole swing-up policy by back-propagating through the simulator."""
from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Optional

import torch
from torch import nn

torch.set_num_threads(1)


@dataclass(frozen=True)
class Physics:
    m_cart: float = 1.0
    m_pole: float = 0.15
    length: float = 0.6
    g: float = 9.81
    dt: float = 0.05
    force_limit: float = 12.0


class CartPole:
    def __init__(self, p: Physics):
        self.p = p

    def reset(self, n):
        angle = math.pi + 0.2 * torch.randn(n)
        z = torch.zeros(n)
        return torch.stack([0.1 * torch.randn(n), z, angle, z], dim=1)

    def step(self, s, u):
        p = self.p
        x, v, th, w = s.unbind(1)
        sin, cos = th.sin(), th.cos()
        total = p.m_cart + p.m_pole
        tmp = (u + p.m_pole * p.length * w.square() * sin) / total
        alpha = (p.g * sin - cos * tmp) / (p.length * (4 / 3 - p.m_pole * cos.square() / total))
        acc = tmp - p.m_pole * p.length * alpha * cos / total
        v = (v + p.dt * acc).clamp(-8, 8)
        w = (w + p.dt * alpha).clamp(-12, 12)
        return torch.stack([x + p.dt * v, v, th + p.dt * w, w], dim=1)


class Policy(nn.Module):
    def __init__(self, limit):
        super().__init__()
        self.limit = limit
        self.body = nn.Sequential(nn.Linear(5, 48), nn.Tanh(), nn.Linear(48, 48), nn.Tanh(), nn.Linear(48, 1))

    def forward(self, s):
        x, v, th, w = s.unbind(1)
        obs = torch.stack([x, v / 4, th.sin(), th.cos(), w / 6], dim=1)
        return self.limit * torch.tanh(self.body(obs).squeeze(1))


@dataclass
class Rollout:
    states: torch.Tensor
    controls: torch.Tensor
    parent: Optional["Rollout"] = None

    def cost(self):
        x, v, th, w = self.states.unbind(-1)
        per_step = (1 - th.cos()) + 0.05 * x.square() + 0.005 * (v.square() + w.square())
        return per_step.mean() + 1e-4 * self.controls.square().mean()

    @torch.no_grad()
    def spread(self):
        return self.states[-1].std(0).mean().item()

    @torch.no_grad()
    def gain(self):
        """How much cheaper this rollout is than the one it came after."""
        return 0.0 if self.parent is None else float(self.parent.cost() - self.cost())


class SimTrainer:
    def __init__(self, horizon=24, batch=32):
        self.physics = Physics()
        self.sim = CartPole(self.physics)
        self.policy = Policy(self.physics.force_limit)
        self.opt = torch.optim.Adam(self.policy.parameters(), lr=4e-3)
        self.horizon, self.batch = horizon, batch
        self.latest: Optional[Rollout] = None

    def start_states(self):
        fresh = self.sim.reset(self.batch)
        if self.latest is not None:
            half = self.batch // 2
            fresh[:half] = self.latest.states[-1, :half].detach()
        return fresh

    def rollout(self):
        s, states, controls = self.start_states(), [], []
        for _ in range(self.horizon):
            u = self.policy(s)
            s = self.sim.step(s, u)
            states.append(s)
            controls.append(u)
        self.latest = Rollout(torch.stack(states), torch.stack(controls), parent=self.latest)  # <- culprit
        return self.latest

    def update(self):
        roll = self.rollout()
        cost = roll.cost()
        self.opt.zero_grad()
        cost.backward()
        nn.utils.clip_grad_norm_(self.policy.parameters(), 1.0)
        self.opt.step()
        return cost.item(), roll.gain(), roll.spread()


if __name__ == "__main__":
    torch.manual_seed(21)
    trainer = SimTrainer()
    for it in range(120):
        cost, gain, spread = trainer.update()
        if it % 20 == 0:
            print(f"iter {it:3d}  cost {cost:.3f}  gain {gain:+.4f}  spread {spread:.3f}")
