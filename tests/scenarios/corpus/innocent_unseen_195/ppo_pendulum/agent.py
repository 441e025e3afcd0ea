import torch
from torch import nn
from torch.distributions import Normal


class Agent(nn.Module):
    def __init__(self, obs_dim=3, hidden=32):
        super().__init__()
        self.actor = nn.Sequential(nn.Linear(obs_dim, hidden), nn.Tanh(), nn.Linear(hidden, 1))
        self.critic = nn.Sequential(nn.Linear(obs_dim, hidden), nn.Tanh(), nn.Linear(hidden, 1))
        self.log_std = nn.Parameter(torch.zeros(1))
        self.last_dist = None

    def dist(self, obs):
        self.last_dist = Normal(self.actor(obs), self.log_std.exp())
        return self.last_dist

    @torch.no_grad()
    def act(self, obs):
        d = self.dist(obs)
        a = d.sample()
        return a, d.log_prob(a).squeeze(-1), self.critic(obs).squeeze(-1)
