"""DDPG agent with delayed policy updates and Polyak-averaged targets."""
import copy

import torch
import torch.nn as nn
import torch.nn.functional as F


class Actor(nn.Module):
    def __init__(self, obs_dim, act_dim, width=32):
        super().__init__()
        self.net = nn.Sequential(nn.Linear(obs_dim, width), nn.ReLU(), nn.Linear(width, act_dim), nn.Tanh())

    def forward(self, obs):
        return self.net(obs)


class Critic(nn.Module):
    def __init__(self, obs_dim, act_dim, width=32):
        super().__init__()
        self.net = nn.Sequential(nn.Linear(obs_dim + act_dim, width), nn.ReLU(), nn.Linear(width, 1))

    def forward(self, obs, act):
        return self.net(torch.cat([obs, act], dim=-1))


class TargetMixin:
    """Frozen copies of the networks that follow the live ones."""

    def make_targets(self):
        self.actor_t = copy.deepcopy(self.actor).requires_grad_(False)
        self.critic_t = copy.deepcopy(self.critic).requires_grad_(False)

    @torch.no_grad()
    def sync_targets(self, tau):
        for live, target in ((self.actor, self.actor_t), (self.critic, self.critic_t)):
            for p, q in zip(live.parameters(), target.parameters()):
                q.lerp_(p, tau)


class DelayedDDPG(TargetMixin):
    def __init__(self, obs_dim, act_dim, gamma=0.95, delay=4, tau=0.05):
        self.actor, self.critic = Actor(obs_dim, act_dim), Critic(obs_dim, act_dim)
        self.make_targets()
        self.opt_actor = torch.optim.Adam(self.actor.parameters(), lr=1e-3)
        self.opt_critic = torch.optim.Adam(self.critic.parameters(), lr=3e-3)
        self.gamma, self.delay, self.tau = gamma, delay, tau

    @torch.no_grad()
    def act(self, obs, noise=0.2):
        a = self.actor(obs)
        return (a + noise * torch.randn_like(a)).clamp(-1, 1)

    def losses(self, batch, with_policy):
        """Both objectives on the same batch; the policy's only when it is due."""
        with torch.no_grad():
            target = batch.rew + self.gamma * self.critic_t(batch.nxt, self.actor_t(batch.nxt))
        td = F.mse_loss(self.critic(batch.obs, batch.act), target)
        pi = None
        if with_policy:
            pi = -self.critic(batch.obs, self.actor(batch.obs)).mean()  # <- culprit
        return td, pi

    def update(self, batch, it):
        td, pi = self.losses(batch, with_policy=it % self.delay == self.delay - 1)
        self.opt_critic.zero_grad()
        td.backward()
        self.opt_critic.step()  # <- culprit
        if pi is not None:
            self.opt_actor.zero_grad()
            pi.backward()  # <- culprit
            self.opt_actor.step()
            self.sync_targets(self.tau)
        return td.item()
