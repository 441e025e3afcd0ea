import torch
from torch import nn


class RecurrentAgent(nn.Module):
    def __init__(self, n_obs, n_act, width=32):
        super().__init__()
        self.width = width
        self.inp = nn.Linear(n_obs, width)
        self.rnn = nn.GRUCell(width, width)
        self.pi = nn.Linear(width, n_act)
        self.v = nn.Linear(width, 1)

    def initial(self, n):
        return torch.zeros(n, self.width)

    def forward(self, obs, state):
        state = self.rnn(torch.relu(self.inp(obs)), state)
        return torch.distributions.Categorical(logits=self.pi(state)), self.v(state).squeeze(1), state
