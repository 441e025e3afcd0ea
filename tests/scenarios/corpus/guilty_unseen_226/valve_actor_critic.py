# gradwatch-corpus: kind=inplace-modified
# first-bad: 10
"""Tank level control with a learned valve: critic warm-up first, then actor and critic together."""
from types import SimpleNamespace

import torch
import torch.nn as nn
import torch.nn.functional as F

cfg = SimpleNamespace(tanks=64, steps=100, warmup=10, gamma=0.9, lr_actor=1e-3, lr_critic=3e-3, seed=14)


def tank_step(level, valve, inflow):
    nxt = level + 0.2 * inflow - 0.25 * valve * level.clamp(min=0).sqrt()
    cost = (nxt - 1.0).square() + 0.01 * valve.square()
    return nxt, -cost


def mlp(*sizes):
    layers = []
    for a, b in zip(sizes[:-1], sizes[1:]):
        layers += [nn.Linear(a, b), nn.Tanh()]
    return nn.Sequential(*layers[:-1])


class Valve(nn.Module):
    def __init__(self):
        super().__init__()
        self.net = mlp(2, 24, 1)

    def forward(self, obs):
        return torch.sigmoid(self.net(obs)).squeeze(1)


class Critic(nn.Module):
    def __init__(self):
        super().__init__()
        self.net = mlp(3, 32, 32, 1)

    def forward(self, obs, valve):
        return self.net(torch.cat([obs, valve[:, None]], dim=1)).squeeze(1)


torch.manual_seed(cfg.seed)
actor = Valve()
critic = Critic()
opt_actor = torch.optim.Adam(actor.parameters(), lr=cfg.lr_actor)
opt_critic = torch.optim.Adam(critic.parameters(), lr=cfg.lr_critic)

level = torch.rand(cfg.tanks) * 2
inflow = torch.rand(cfg.tanks)

for step in range(cfg.steps):
    obs = torch.stack([level, inflow], dim=1)
    with torch.no_grad():
        behave = (actor(obs) + 0.1 * torch.randn(cfg.tanks)).clamp(0, 1)
        next_level, reward = tank_step(level, behave, inflow)
        next_inflow = (0.9 * inflow + 0.1 * torch.rand(cfg.tanks)).clamp(0, 1)
        next_obs = torch.stack([next_level, next_inflow], dim=1)
        target = reward + cfg.gamma * critic(next_obs, actor(next_obs))

    critic_loss = F.mse_loss(critic(obs, behave), target)
    actor_loss = None
    if step >= cfg.warmup:
        actor_loss = -critic(obs, actor(obs)).mean()  # <- culprit

    opt_critic.zero_grad()
    critic_loss.backward()
    opt_critic.step()  # <- culprit

    if actor_loss is not None:
        opt_actor.zero_grad()
        actor_loss.backward()
        opt_actor.step()

    level = next_level.clamp(0, 3)
    inflow = next_inflow
    print(f"step {step} critic {critic_loss.item():.4f} reward {reward.mean().item():.4f}", flush=True)

print("final mean level", level.mean().item())
