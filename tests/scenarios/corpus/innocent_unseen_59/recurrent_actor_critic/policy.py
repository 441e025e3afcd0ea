"""GRU actor-critic, one observation at a time."""
import torch
from torch import nn


class RecurrentActorCritic(nn.Module):
    def __init__(self, n_obs, n_actions, width):
        super().__init__()
        self.width = width
        self.inp = nn.Linear(n_obs, width)
        self.cell = nn.GRUCell(width, width)
        self.actor = nn.Linear(width, n_actions)
        self.critic = nn.Linear(width, 1)

    def initial(self):
        return torch.zeros(1, self.width)

    def forward(self, obs, memory):
        memory = self.cell(torch.relu(self.inp(obs[None])), memory)
        dist = torch.distributions.Categorical(logits=self.actor(memory)[0])
        return dist, self.critic(memory)[0, 0], memory
