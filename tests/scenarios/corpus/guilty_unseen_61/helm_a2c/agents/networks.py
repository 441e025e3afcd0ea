"""Policy and value heads on one trunk."""
from torch import nn


class SharedActorCritic(nn.Module):
    def __init__(self, obs_dim, n_actions, width=32):
        super().__init__()
        self.trunk = nn.Sequential(nn.Linear(obs_dim, width), nn.Tanh(), nn.Linear(width, width), nn.Tanh())
        self.policy = nn.Linear(width, n_actions)
        self.value = nn.Linear(width, 1)

    def act(self, obs):
        return self.policy(self.trunk(obs))

    def evaluate(self, obs):
        return self.value(self.trunk(obs)).squeeze(-1)
