import copy

import torch
from torch import nn
import torch.nn.functional as F


def mlp(sizes, last=None):
    layers = []
    for left, right in zip(sizes[:-2], sizes[1:-1]):
        layers.append(nn.Linear(left, right))
        layers.append(nn.ReLU())
    layers.append(nn.Linear(sizes[-2], sizes[-1]))
    if last is not None:
        layers.append(last)
    return nn.Sequential(*layers)


class HoverAgent:
    def __init__(self, obs_dim, act_dim, gamma=0.97, tau=0.02):
        self.gamma = gamma
        self.tau = tau
        self.actor = mlp([obs_dim, 40, act_dim], nn.Tanh())
        self.critic = mlp([obs_dim + act_dim, 40, 40, 1])
        self.slow_actor = copy.deepcopy(self.actor)
        self.slow_critic = copy.deepcopy(self.critic)
        self.actor_opt = torch.optim.Adam(self.actor.parameters(), lr=5e-4)
        self.critic_opt = torch.optim.Adam(self.critic.parameters(), lr=1e-3)

    @torch.no_grad()
    def explore(self, obs):
        action = self.actor(obs)
        return (action + 0.2 * torch.randn_like(action)).clamp(-1, 1)

    def value(self, critic, obs, act):
        return critic(torch.cat([obs, act], dim=1)).squeeze(1)

    @torch.no_grad()
    def target(self, rew, nxt):
        ahead = self.value(self.slow_critic, nxt, self.slow_actor(nxt))
        return rew + self.gamma * ahead

    def learn(self, batch):
        obs, act, rew, nxt = batch
        critic_loss = F.mse_loss(self.value(self.critic, obs, act), self.target(rew, nxt))
        actor_loss = -self.value(self.critic, obs, self.actor(obs)).mean()  # <- culprit

        self.critic_opt.zero_grad()
        critic_loss.backward()
        self.critic_opt.step()  # <- culprit

        self.actor_opt.zero_grad()
        actor_loss.backward()
        self.actor_opt.step()
        self.blend()
        return {"critic": critic_loss.item(), "actor": actor_loss.item()}

    @torch.no_grad()
    def blend(self):
        pairs = ((self.slow_actor, self.actor), (self.slow_critic, self.critic))
        for slow, fast in pairs:
            for s, f in zip(slow.parameters(), fast.parameters()):
                s.lerp_(f, self.tau)
