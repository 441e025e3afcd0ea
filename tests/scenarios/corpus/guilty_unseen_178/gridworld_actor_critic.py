# gradwatch-corpus: kind=inplace-modified
# first-bad: 0
"""Deterministic actor-critic on a pursuit game, optimisers organised as update groups."""
from collections import OrderedDict
from dataclasses import dataclass

import torch
import torch.nn.functional as F
from torch import nn


@dataclass
class PursuitConfig:
    obs: int = 8
    act: int = 2
    batch: int = 64
    gamma: float = 0.95
    actor_lr: float = 5e-4
    critic_lr: float = 1e-3
    updates: int = 400


class TransitionSource:
    def __init__(self, cfg, seed=12):
        self.cfg = cfg
        self.gen = torch.Generator().manual_seed(seed)

    def draw(self):
        c = self.cfg
        s = torch.randn(c.batch, c.obs, generator=self.gen)
        a = torch.rand(c.batch, c.act, generator=self.gen) * 2 - 1
        nxt = s.clone()
        nxt[:, :2] += 0.3 * a
        reward = -(nxt[:, :2] - nxt[:, 2:4]).norm(dim=1)
        return s, a, reward, nxt


def mlp(*sizes, last=None):
    layers = []
    for i, (m, n) in enumerate(zip(sizes, sizes[1:])):
        layers += [nn.Linear(m, n)] + ([nn.ReLU()] if i < len(sizes) - 2 else [])
    return nn.Sequential(*layers, *([last] if last else []))


class UpdateGroup:
    def __init__(self, module, lr):
        self.opt = torch.optim.Adam(module.parameters(), lr=lr)

    def apply(self, loss):
        self.opt.zero_grad()
        loss.backward()
        self.opt.step()  # <- culprit


class UpdateSchedule:
    """Runs the losses of a step in registration order."""

    def __init__(self):
        self.groups = OrderedDict()

    def register(self, name, group):
        self.groups[name] = group

    def run(self, losses):
        for name, group in self.groups.items():
            group.apply(losses[name])


class PursuitAgent:
    def __init__(self, cfg):
        self.cfg = cfg
        self.actor = mlp(cfg.obs, 32, cfg.act, last=nn.Tanh())
        self.critic = mlp(cfg.obs + cfg.act, 32, 1)
        self.schedule = UpdateSchedule()
        self.schedule.register("critic", UpdateGroup(self.critic, cfg.critic_lr))
        self.schedule.register("actor", UpdateGroup(self.actor, cfg.actor_lr))

    def q(self, s, a):
        return self.critic(torch.cat([s, a], 1)).squeeze(1)

    def _critic_loss(self, s, a, r, nxt):
        with torch.no_grad():
            target = r + self.cfg.gamma * self.q(nxt, self.actor(nxt))
        return F.mse_loss(self.q(s, a), target)

    def _actor_loss(self, s):
        return -self.q(s, self.actor(s)).mean()

    def update(self, transition):
        s, a, r, nxt = transition
        losses = {
            "critic": self._critic_loss(s, a, r, nxt),
            "actor": self._actor_loss(s),  # <- culprit
        }
        self.schedule.run(losses)  # <- culprit
        return {k: v.item() for k, v in losses.items()}


def main():
    torch.manual_seed(4)
    cfg = PursuitConfig()
    agent, source = PursuitAgent(cfg), TransitionSource(cfg)
    for i in range(cfg.updates):
        report = agent.update(source.draw())
        if i % 50 == 0:
            print(i, report)


if __name__ == "__main__":
    main()
