import torch
from torch import nn


class ClickTracker(nn.Module):
    def __init__(self, n_obs, hidden):
        super().__init__()
        self.cell = nn.GRUCell(n_obs, hidden)
        self.read = nn.Linear(hidden, 1)

    def blank(self, n):
        return torch.zeros(n, self.cell.hidden_size)

    def forward(self, obs, state):
        state = self.cell(obs, state)
        return self.read(state).squeeze(1), state
