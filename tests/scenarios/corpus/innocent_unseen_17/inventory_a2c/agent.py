import torch
from torch import nn
from torch.distributions import Categorical


class RecurrentActorCritic(nn.Module):
    def __init__(self, obs_dim, n_actions, hidden=32):
        super().__init__()
        self.inp = nn.Linear(obs_dim, hidden)
        self.cell = nn.GRUCell(hidden, hidden)
        self.pi = nn.Linear(hidden, n_actions)
        self.v = nn.Linear(hidden, 1)
        self.hidden = hidden

    def initial(self, n):
        return torch.zeros(n, self.hidden)

    def forward(self, obs, memory):
        memory = self.cell(torch.tanh(self.inp(obs)), memory)
        return Categorical(logits=self.pi(memory)), self.v(memory).squeeze(1), memory
