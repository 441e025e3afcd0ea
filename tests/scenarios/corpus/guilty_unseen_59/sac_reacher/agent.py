"""Actor, twin critics and their updates."""
import copy

import torch
import torch.nn.functional as F
from torch import nn

from .temperature import TemperatureTuner


class Actor(nn.Module):
    def __init__(self, obs, act, width=48):
        super().__init__()
        self.body = nn.Sequential(nn.Linear(obs, width), nn.ReLU(), nn.Linear(width, 2 * act))

    def forward(self, obs):
        mu, log_std = self.body(obs).chunk(2, -1)
        dist = torch.distributions.Normal(mu, log_std.clamp(-4, 1).exp())
        raw = dist.rsample()
        squash = 2 * (0.6931 - raw - F.softplus(-2 * raw))
        return torch.tanh(raw), (dist.log_prob(raw) - squash).sum(-1, keepdim=True)


class TwinQ(nn.Module):
    def __init__(self, obs, act, width=48):
        super().__init__()
        self.q = nn.ModuleList(
            nn.Sequential(nn.Linear(obs + act, width), nn.ReLU(), nn.Linear(width, 1))
            for _ in range(2))

    def forward(self, obs, act):
        x = torch.cat([obs, act], -1)
        return [q(x) for q in self.q]


class SacAgent:
    def __init__(self, obs, act, gamma=0.97, tau=0.02, tune_after=0):
        self.actor, self.critic = Actor(obs, act), TwinQ(obs, act)
        self.target = copy.deepcopy(self.critic).requires_grad_(False)
        self.actor_opt = torch.optim.Adam(self.actor.parameters(), lr=1e-3)
        self.critic_opt = torch.optim.Adam(self.critic.parameters(), lr=2e-3)
        self.tuner = TemperatureTuner(-float(act), tune_after=tune_after)
        self.gamma, self.tau, self.updates = gamma, tau, 0

    @torch.no_grad()
    def act(self, obs):
        return self.actor(obs[None])[0][0]

    def update(self, batch):
        s, a, r, s2 = batch
        with torch.no_grad():
            a2, lp2 = self.actor(s2)
            y = r + self.gamma * (torch.min(*self.target(s2, a2)) - self.tuner.alpha * lp2)
        q_loss = sum(F.mse_loss(q, y) for q in self.critic(s, a))
        self.critic_opt.zero_grad()
        q_loss.backward()
        self.critic_opt.step()

        pi, logp = self.actor(s)
        pi_loss = (self.tuner.alpha * logp - torch.min(*self.critic(s, pi))).mean()
        self.actor_opt.zero_grad()
        pi_loss.backward()
        self.actor_opt.step()
        self.tuner.update(logp, self.updates)  # <- culprit

        with torch.no_grad():
            for p, t in zip(self.critic.parameters(), self.target.parameters()):
                t.lerp_(p, self.tau)
        self.updates += 1
        return {"q": q_loss.item(), "pi": pi_loss.item(), "alpha": self.tuner.alpha}
