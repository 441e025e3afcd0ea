import math

import torch
from torch import nn


class WorldModel(nn.Module):
    def __init__(self, obs_dim, act_dim, hidden):
        super().__init__()
        self.cell = nn.GRUCell(obs_dim + act_dim, hidden)
        self.head = nn.Linear(hidden, 2 * obs_dim)
        self.hidden = hidden

    def initial(self, n):
        return torch.zeros(n, self.hidden)

    def forward(self, obs, act, h):
        h = self.cell(torch.cat([obs, act], 1), h)
        mean, logstd = self.head(h).chunk(2, 1)
        return mean, logstd.clamp(-3, 1), h


def gaussian_nll(mean, logstd, x):
    return (0.5 * ((x - mean) / logstd.exp()).square() + logstd + 0.5 * math.log(2 * math.pi)).sum(1)
