import torch
from torch import nn


class Agent(nn.Module):
    def __init__(self, cells, width=16):
        super().__init__()
        self.body = nn.Sequential(nn.Linear(cells, width), nn.Tanh())
        self.policy = nn.Linear(width, 2)
        self.value = nn.Linear(width, 1)

    def forward(self, obs):
        h = self.body(obs)
        dist = torch.distributions.Categorical(logits=self.policy(h), validate_args=False)
        return dist, self.value(h).squeeze(1)
