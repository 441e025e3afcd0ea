import copy

import torch
import torch.nn as nn
import torch.nn.functional as F

from learner import OffPolicyLearner, polyak


def mlp(i, o, h=32):
    return nn.Sequential(nn.Linear(i, h), nn.ReLU(), nn.Linear(h, h), nn.ReLU(), nn.Linear(h, o))


class Twin(nn.Module):
    def __init__(self, od, ad):
        super().__init__()
        self.q1, self.q2 = mlp(od + ad, 1), mlp(od + ad, 1)

    def forward(self, o, a):
        x = torch.cat([o, a], -1)
        return self.q1(x), self.q2(x)


class TankAgent(OffPolicyLearner):
    def __init__(self, obs_dim, act_dim, actor_start, gamma=0.97, tau=0.01):
        super().__init__()
        self.actor = nn.Sequential(mlp(obs_dim, act_dim), nn.Tanh())
        self.critic = Twin(obs_dim, act_dim)
        self.target = copy.deepcopy(self.critic).requires_grad_(False)
        self.actor_start, self.gamma, self.tau = actor_start, gamma, tau
        self.optims = {
            "critic": torch.optim.Adam(self.critic.parameters(), 1e-3),
            "actor": torch.optim.Adam(self.actor.parameters(), 5e-4),
        }

    @torch.no_grad()
    def act(self, obs, noise):
        a = self.actor(obs)
        return (a + noise * torch.randn_like(a)).clamp(-1, 1)

    def losses(self, batch):
        o, a, r, o2 = batch
        with torch.no_grad():
            t1, t2 = self.target(o2, self.actor(o2))
            y = r + self.gamma * torch.min(t1, t2)
        q1, q2 = self.critic(o, a)
        out = {"critic": F.mse_loss(q1, y) + F.mse_loss(q2, y)}
        if self.updates >= self.actor_start:
            p1, p2 = self.critic(o, self.actor(o))  # <- culprit
            out["actor"] = -torch.min(p1, p2).mean()  # <- culprit
        return out

    def after_update(self):
        polyak(self.target, self.critic, self.tau)
