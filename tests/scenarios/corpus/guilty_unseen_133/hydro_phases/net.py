import torch
from torch import nn


class Reservoir(nn.Module):
    def __init__(self, width, hidden):
        super().__init__()
        self.encoder = nn.Sequential(nn.Linear(width, hidden), nn.Tanh())
        self.gate = nn.Linear(width, hidden)
        self.readout = nn.Linear(hidden, 1)

    def forward(self, x):
        return self.readout(self.encoder(x) * torch.sigmoid(self.gate(x)))
