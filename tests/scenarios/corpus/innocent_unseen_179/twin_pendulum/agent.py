import copy

import torch
from torch import nn


def mlp(inputs, outputs, width=32):
    return nn.Sequential(nn.Linear(inputs, width), nn.ReLU(), nn.Linear(width, width), nn.ReLU(), nn.Linear(width, outputs))


class Agent:
    def __init__(self, width, gamma=0.95, tau=0.05):
        self.actor = mlp(width, 1)
        self.critic = mlp(width + 1, 1)
        self.slow_actor = copy.deepcopy(self.actor)
        self.slow_critic = copy.deepcopy(self.critic)
        self.actor_opt = torch.optim.Adam(self.actor.parameters(), lr=1e-3)
        self.critic_opt = torch.optim.Adam(self.critic.parameters(), lr=2e-3)
        self.gamma, self.tau = gamma, tau

    @torch.no_grad()
    def explore(self, obs):
        action = torch.tanh(self.actor(obs))
        return (action + 0.2 * torch.randn_like(action)).clamp(-1, 1)

    def critic_step(self, batch):
        obs, action, reward, nxt = batch
        with torch.no_grad():
            ahead = torch.tanh(self.slow_actor(nxt))
            target = reward + self.gamma * self.slow_critic(torch.cat([nxt, ahead], 1)).squeeze(1)
        value = self.critic(torch.cat([obs, action], 1)).squeeze(1)
        loss = nn.functional.mse_loss(value, target)
        self.critic_opt.zero_grad()
        loss.backward()
        self.critic_opt.step()
        return loss

    def actor_step(self, batch):
        obs = batch[0]
        action = torch.tanh(self.actor(obs))
        self.critic.requires_grad_(False)
        loss = -self.critic(torch.cat([obs, action], 1)).mean()
        self.actor_opt.zero_grad()
        loss.backward()
        self.actor_opt.step()
        self.critic.requires_grad_(True)
        return loss

    @torch.no_grad()
    def follow(self):
        for slow, fast in ((self.slow_actor, self.actor), (self.slow_critic, self.critic)):
            for a, b in zip(slow.parameters(), fast.parameters()):
                a.lerp_(b, self.tau)
