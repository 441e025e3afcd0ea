import torch
from torch import nn
from torch.distributions import Independent, Normal


class ActorCritic(nn.Module):
    def __init__(self, n_obs, n_act, h=32):
        super().__init__()
        self.trunk = nn.Sequential(nn.Linear(n_obs, h), nn.Tanh())
        self.mu, self.v = nn.Linear(h, n_act), nn.Linear(h, 1)
        self.log_std = nn.Parameter(torch.full((n_act,), -0.5))

    def forward(self, obs):
        h = self.trunk(obs)
        return Independent(Normal(self.mu(h), self.log_std.exp()), 1), self.v(h).squeeze(-1)

    def act(self, obs):
        dist, v = self(obs)
        a = dist.sample()
        return a, dist.log_prob(a).detach(), v.detach()

    @torch.no_grad()
    def value(self, obs):
        return self(obs)[1]
