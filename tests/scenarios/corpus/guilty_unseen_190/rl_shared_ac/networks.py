import torch
import torch.nn as nn


class ActorCritic(nn.Module):
    def __init__(self, obs_dim, act_dim, hidden=32):
        super().__init__()
        self.shared = nn.Sequential(
            nn.Linear(obs_dim, hidden), nn.Tanh(),
            nn.Linear(hidden, hidden), nn.Tanh())
        self.mu = nn.Linear(hidden, act_dim)
        self.log_std = nn.Parameter(torch.full((act_dim,), -0.5))
        self.value = nn.Linear(hidden, 1)

    def actor_parameters(self):
        return [*self.shared.parameters(), *self.mu.parameters(), self.log_std]

    def critic_parameters(self):
        return list(self.value.parameters())

    def forward(self, obs):
        h = self.shared(obs)
        return torch.distributions.Normal(self.mu(h), self.log_std.exp()), self.value(h).squeeze(-1)


class PointMass:
    """A batch of points pushed toward the origin."""

    def __init__(self, n):
        self.n = n
        self.reset()

    def reset(self):
        self.x = torch.randn(self.n, 2)
        self.v = torch.zeros(self.n, 2)
        return self.obs()

    def obs(self):
        return torch.cat([self.x, self.v], 1)

    def step(self, a):
        self.v = 0.9 * self.v + 0.1 * a.clamp(-1, 1)
        self.x = self.x + self.v
        return self.obs(), -self.x.norm(dim=1)
