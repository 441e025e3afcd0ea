import copy
import random

import torch
from torch import nn


class Critic(nn.Module):
    def __init__(self, obs, act, h=20):
        super().__init__()
        self.f = nn.Sequential(nn.Linear(obs + act, h), nn.ReLU(), nn.Linear(h, h), nn.ReLU(), nn.Linear(h, 1))

    def forward(self, s, a):
        return self.f(torch.cat([s, a], -1)).squeeze(-1)


class DDPG:
    def __init__(self, obs, act, gamma=0.95, tau=0.02):
        self.actor = nn.Sequential(nn.Linear(obs, 20), nn.ReLU(), nn.Linear(20, act), nn.Tanh())
        self.critic = Critic(obs, act)
        self.actor_t, self.critic_t = copy.deepcopy(self.actor), copy.deepcopy(self.critic)
        self.actor_opt = torch.optim.Adam(self.actor.parameters(), lr=1e-3)
        self.critic_opt = torch.optim.Adam(self.critic.parameters(), lr=2e-3)
        self.gamma, self.tau = gamma, tau
        self.replay = []

    @torch.no_grad()
    def explore(self, s, sigma=0.2):
        return (self.actor(s) + sigma * torch.randn(2)).clamp(-1, 1)

    def store(self, *transition):
        self.replay.append(transition)

    def _objectives(self, s, a, r, s2):
        with torch.no_grad():
            y = r + self.gamma * self.critic_t(s2, self.actor_t(s2))
        value = (self.critic(s, a) - y).pow(2).mean()
        policy = -self.critic(s, self.actor(s)).mean()  # <- culprit
        return value, policy

    def update(self, batch):
        s, a, r, s2 = (torch.stack(x) for x in zip(*random.sample(self.replay, batch)))
        value, policy = self._objectives(s, a, r, s2)
        self.critic_opt.zero_grad()
        value.backward()
        self.critic_opt.step()  # <- culprit
        self.actor_opt.zero_grad()
        policy.backward()
        self.actor_opt.step()
        self._track()
        return {"value": value.item(), "policy": policy.item()}

    @torch.no_grad()
    def _track(self):
        for net, tgt in ((self.actor, self.actor_t), (self.critic, self.critic_t)):
            for p, q in zip(net.parameters(), tgt.parameters()):
                q.mul_(1 - self.tau).add_(p, alpha=self.tau)
