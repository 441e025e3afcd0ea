# gradwatch-corpus: kind=second-backward
# also: graph-unused
# holder: edge | batch.edge | roll["edge"]
# first-bad: 21
"""Gantry crane sway damping, advantage actor-critic with delayed actor updates (critic warm-up of 20 rollouts)."""
import math

import torch
from torch import nn

torch.manual_seed(50)


class Crane:
    def __init__(self, lanes=8):
        self.lanes = lanes
        self.reset()

    def reset(self):
        self.s = torch.randn(self.lanes, 2) * 0.3

    def push(self, force):
        th, om = self.s.unbind(1)
        om = om + 0.1 * (-math.pi * torch.sin(th) + force - 0.05 * om)
        th = th + 0.1 * om
        self.s = torch.stack([th, om], 1)
        return self.s, -(th ** 2 + 0.1 * om ** 2 + 0.01 * force ** 2)


actor = nn.Sequential(nn.Linear(2, 24), nn.Tanh(), nn.Linear(24, 1))
log_sd = nn.Parameter(torch.tensor(-0.5))
critic = nn.Sequential(nn.Linear(2, 24), nn.Tanh(), nn.Linear(24, 1))
opt = torch.optim.Adam([*actor.parameters(), *critic.parameters(), log_sd], lr=3e-3)


def rollout(crane, length=5, gamma=0.97):
    states, rewards, logps = [crane.s], [], []
    for _ in range(length):
        dist = torch.distributions.Normal(actor(states[-1]).squeeze(1), log_sd.exp())
        force = dist.sample()
        logps.append(dist.log_prob(force))
        s, r = crane.push(force)
        states.append(s)
        rewards.append(r)
    with torch.no_grad():
        g = critic(states[-1]).squeeze(1)
    targets = []
    for r in reversed(rewards):
        g = r + gamma * g
        targets.insert(0, g)
    targets = torch.stack(targets)
    edge = targets - critic(torch.stack(states[:-1])).squeeze(-1)  # <- culprit
    return {"edge": edge, "logp": torch.stack(logps), "return": targets[0].mean().item()}


def critic_pass(roll):
    roll["edge"].square().mean().backward()


def actor_pass(roll):
    edge = roll["edge"]
    scaled = (edge - edge.mean()) / (edge.std() + 1e-6)
    (-(roll["logp"] * scaled).mean() - 1e-3 * log_sd).backward()  # <- culprit


crane = Crane()
for k in range(240):
    if k % 30 == 0:
        crane.reset()
    roll = rollout(crane)
    opt.zero_grad()
    critic_pass(roll)
    if k > 20 and k % 3 == 0:
        actor_pass(roll)
    opt.step()
    if k % 10 == 0:
        print(f"rollout {k:3d} return {roll['return']:+.3f} sd {log_sd.exp().item():.3f}")
