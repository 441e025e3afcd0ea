import torch
from torch import nn


class SlatePolicy(nn.Module):
    def __init__(self, fin, items):
        super().__init__()
        self.body = nn.Sequential(nn.Linear(fin, 32), nn.Tanh())
        self.logits = nn.Linear(32, items)
        self.value = nn.Linear(32, 1)

    def forward(self, user):
        z = self.body(user)
        return torch.distributions.Categorical(logits=self.logits(z)), self.value(z).squeeze(-1)
