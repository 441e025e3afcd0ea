# gradwatch-corpus: kind=inplace-modified
# first-bad: 20
"""Greenhouse heating: actor chooses heater + vent, critic scores it (one-step reward, so no target net)."""
import json

import torch
import torch.nn as nn

torch.manual_seed(90)

settings = {
    "steps": 120,
    "batch": 64,
    "critic_only": 20,
    "lr_actor": 1e-3,
    "lr_critic": 3e-3,
    "noise": 0.3,
}


class Actor(nn.Module):
    def __init__(self):
        super().__init__()
        self.net = nn.Sequential(nn.Linear(4, 32), nn.Tanh(), nn.Linear(32, 2), nn.Tanh())

    def forward(self, s):
        return self.net(s)


class Critic(nn.Module):
    def __init__(self):
        super().__init__()
        self.net = nn.Sequential(nn.Linear(6, 48), nn.ReLU(), nn.Linear(48, 48), nn.ReLU(), nn.Linear(48, 1))

    def forward(self, s, a):
        return self.net(torch.cat([s, a], dim=1))[:, 0]


def climate(n):
    inside = 15 + 6 * torch.randn(n)
    outside = 8 + 5 * torch.randn(n)
    sun = torch.rand(n)
    price = torch.rand(n)
    return torch.stack([inside / 20, outside / 20, sun, price], dim=1)


def reward(s, a):
    temp = s[:, 0] * 20 + 6 * a[:, 0] + 3 * s[:, 2] - 3 * (a[:, 1] + 1) * 0.5
    miss = ((temp - 21) / 10) ** 2
    return -miss - 0.2 * s[:, 3] * (a[:, 0] + 1)


actor = Actor()
critic = Critic()
opt_a = torch.optim.Adam(actor.parameters(), lr=settings["lr_actor"])
opt_c = torch.optim.Adam(critic.parameters(), lr=settings["lr_critic"])
log = []

for step in range(settings["steps"]):
    s = climate(settings["batch"])
    train_actor = step >= settings["critic_only"]
    with torch.set_grad_enabled(train_actor):
        act = actor(s)
        score_now = critic(s, act)  # <- culprit
    noisy = (act + settings["noise"] * torch.randn_like(act)).clamp(-1, 1).detach()
    r = reward(s, noisy)

    q = critic(s, noisy)
    c_loss = ((q - r) ** 2).mean()
    opt_c.zero_grad()
    c_loss.backward()
    opt_c.step()  # <- culprit

    if train_actor:
        a_loss = -score_now.mean()
        opt_a.zero_grad()
        a_loss.backward()
        opt_a.step()

    log.append({"step": step, "critic": round(c_loss.item(), 4), "reward": round(r.mean().item(), 4)})

for row in log[::20]:
    print(json.dumps(row))
