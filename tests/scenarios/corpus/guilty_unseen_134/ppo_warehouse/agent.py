import torch
from torch import nn
from torch.distributions import Categorical


class PickerAgent(nn.Module):
    def __init__(self, obs_dim, n_actions, width=32):
        super().__init__()
        self.trunk = nn.Sequential(nn.Linear(obs_dim, width), nn.Tanh())
        self.pi = nn.Linear(width, n_actions)
        self.v = nn.Linear(width, 1)

    def forward(self, obs):
        z = self.trunk(obs)
        return Categorical(logits=self.pi(z)), self.v(z).squeeze(-1)

    @torch.no_grad()  # <- culprit
    def act(self, obs, action=None):
        dist, value = self(obs)
        if action is None:
            action = dist.sample()
        return action, dist.log_prob(action), dist.entropy(), value
