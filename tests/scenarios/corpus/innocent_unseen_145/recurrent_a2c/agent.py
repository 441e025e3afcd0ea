import torch
from torch import nn
from torch.distributions import Categorical


class LSTMAgent(nn.Module):
    def __init__(self, obs_dim, hidden, n_actions):
        super().__init__()
        self.hidden = hidden
        self.core = nn.LSTMCell(obs_dim, hidden)
        self.pi, self.v = nn.Linear(hidden, n_actions), nn.Linear(hidden, 1)

    def initial_state(self, n):
        return torch.zeros(n, self.hidden), torch.zeros(n, self.hidden)

    def forward(self, obs, state):
        h, c = self.core(obs, state)
        return Categorical(logits=self.pi(h)), self.v(h).squeeze(-1), (h, c)
