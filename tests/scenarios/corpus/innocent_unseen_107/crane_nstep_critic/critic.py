import torch
from torch import nn


class RecurrentCritic(nn.Module):
    def __init__(self, n_obs, width):
        super().__init__()
        self.cell = nn.LSTMCell(n_obs, width)
        self.head = nn.Linear(width, 1)
        self.width = width

    def start(self):
        return torch.zeros(1, self.width), torch.zeros(1, self.width)

    def forward(self, obs, hidden):
        h, c = self.cell(obs.unsqueeze(0), hidden)
        return self.head(h).squeeze(), (h, c)

    @staticmethod
    def cut(hidden):
        return tuple(s.detach() for s in hidden)
