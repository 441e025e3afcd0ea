import torch
from torch import nn
from torch.distributions import Categorical


class RecurrentPolicy(nn.Module):
    def __init__(self, obs_dim, n_actions, hidden=24):
        super().__init__()
        self.hidden = hidden
        self.enc = nn.Linear(obs_dim, hidden)
        self.gru = nn.GRUCell(hidden, hidden)
        self.pi, self.v = nn.Linear(hidden, n_actions), nn.Linear(hidden, 1)

    def initial(self, n):
        return torch.zeros(n, self.hidden)

    def forward(self, obs, h):
        h = self.gru(torch.relu(self.enc(obs)), h)
        return Categorical(logits=self.pi(h)), self.v(h).squeeze(-1), h
