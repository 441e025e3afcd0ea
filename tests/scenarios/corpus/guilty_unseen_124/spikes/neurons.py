import torch
from torch import nn


class LeakyLayer(nn.Module):
    def __init__(self, n_in, n_out, beta=0.9):
        super().__init__()
        self.w = nn.Linear(n_in, n_out)
        self.beta = beta
        self.mem = None

    def forward(self, events):
        drive = self.w(events)
        if self.mem is None:
            self.mem = torch.zeros_like(drive)
        self.mem = self.beta * self.mem + drive  # <- culprit
        return torch.sigmoid(4 * (self.mem - 1.0))


class SpikingReadout(nn.Module):
    def __init__(self, n_in, hidden, n_out):
        super().__init__()
        self.layer = LeakyLayer(n_in, hidden)
        self.out = nn.Linear(hidden, n_out)
        self.rate = 0.0

    def forward(self, events):
        s = self.layer(events)
        self.rate = s.detach().mean().item()
        return self.out(s)
