import torch
from torch import nn
from torch.distributions import Normal


class GaussianPolicy(nn.Module):
    def __init__(self, obs_dim=3, act_dim=1, width=32):
        super().__init__()
        self.mean = nn.Sequential(nn.Linear(obs_dim, width), nn.Tanh(), nn.Linear(width, act_dim))
        self.log_std = nn.Parameter(torch.full((act_dim,), -0.5))
        self.critic = nn.Sequential(nn.Linear(obs_dim, width), nn.Tanh(), nn.Linear(width, 1))

    def dist(self, obs):
        return Normal(self.mean(obs), self.log_std.exp())

    def value(self, obs):
        return self.critic(obs).squeeze(-1)

    @torch.no_grad()
    def act(self, obs):
        d = self.dist(obs)
        action = d.sample()
        return action, d.log_prob(action).sum(-1), self.value(obs)


class Pendulum:
    def __init__(self, n, seed):
        self.gen = torch.Generator().manual_seed(seed)
        self.th = (torch.rand(n, generator=self.gen) * 2 - 1) * 3.14
        self.om = torch.zeros(n)

    def obs(self):
        return torch.stack([self.th.cos(), self.th.sin(), self.om / 8], 1)

    def step(self, action):
        torque = 2 * action.squeeze(-1).clamp(-1, 1)
        cost = torch.atan2(self.th.sin(), self.th.cos()) ** 2 + 0.1 * self.om**2 + 0.001 * torque**2
        self.om = (self.om + (15 * self.th.sin() + 3 * torque) * 0.05).clamp(-8, 8)
        self.th = self.th + self.om * 0.05
        done = torch.rand(self.th.shape, generator=self.gen) < 0.01
        self.om = torch.where(done, torch.zeros_like(self.om), self.om)
        return -cost, done.float()
