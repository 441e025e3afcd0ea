import copy

import torch
from torch import nn
from torch.nn import functional as F


def mlp(inp, out, width=48):
    return nn.Sequential(nn.Linear(inp, width), nn.ReLU(), nn.Linear(width, width), nn.ReLU(), nn.Linear(width, out))


class TwinCritic(nn.Module):
    def __init__(self, obs_dim, act_dim):
        super().__init__()
        self.one, self.two = mlp(obs_dim + act_dim, 1), mlp(obs_dim + act_dim, 1)

    def forward(self, s, a):
        sa = torch.cat([s, a], 1)
        return self.one(sa).squeeze(1), self.two(sa).squeeze(1)


class TD3:
    def __init__(self, obs_dim, act_dim, gamma=0.98, tau=0.01, delay=2):
        self.actor = nn.Sequential(mlp(obs_dim, act_dim), nn.Tanh())
        self.critic = TwinCritic(obs_dim, act_dim)
        self.actor_target = copy.deepcopy(self.actor).requires_grad_(False)
        self.critic_target = copy.deepcopy(self.critic).requires_grad_(False)
        self.actor_opt = torch.optim.Adam(self.actor.parameters(), lr=1e-3)
        self.critic_opt = torch.optim.Adam(self.critic.parameters(), lr=1e-3)
        self.gamma, self.tau, self.delay = gamma, tau, delay
        self.calls = 0

    @torch.no_grad()
    def explore(self, obs, sigma=0.2):
        a = self.actor(obs)
        return (a + sigma * torch.randn_like(a)).clamp(-1, 1)

    @torch.no_grad()
    def backup(self, r, nxt):
        a = self.actor_target(nxt)
        a = (a + (0.2 * torch.randn_like(a)).clamp(-0.4, 0.4)).clamp(-1, 1)
        return r + self.gamma * torch.min(*self.critic_target(nxt, a))

    def losses(self, batch, with_policy):
        s, a, r, nxt = batch
        y = self.backup(r, nxt)
        q1, q2 = self.critic(s, a)
        out = {"critic": F.mse_loss(q1, y) + F.mse_loss(q2, y)}
        if with_policy:
            out["actor"] = -self.critic(s, self.actor(s))[0].mean()  # <- culprit
        return out

    def polyak(self):
        pairs = ((self.actor_target, self.actor), (self.critic_target, self.critic))
        with torch.no_grad():
            for target, online in pairs:
                for t, p in zip(target.parameters(), online.parameters()):
                    t.lerp_(p, self.tau)

    def update(self, batch):
        self.calls += 1
        losses = self.losses(batch, with_policy=self.calls % self.delay == 0)  # <- culprit
        self.critic_opt.zero_grad()
        losses["critic"].backward()
        self.critic_opt.step()  # <- culprit
        if "actor" in losses:
            self.actor_opt.zero_grad()
            losses["actor"].backward()  # <- culprit
            self.actor_opt.step()
            self.polyak()
        return {k: v.item() for k, v in losses.items()}
