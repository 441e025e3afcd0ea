import torch
from torch import nn


class RateNetwork(nn.Module):
    def __init__(self, n_in, n_units, leak=0.3):
        super().__init__()
        self.inp = nn.Linear(n_in, n_units)
        self.rec = nn.Linear(n_units, n_units, bias=False)
        self.readout = nn.Linear(n_units, 1)
        self.leak = leak
        nn.init.normal_(self.rec.weight, std=1.0 / n_units ** 0.5)

    def forward(self, x):
        h = x.new_zeros(x.shape[1], self.rec.in_features)
        rates = []
        for frame in x:
            drive = self.inp(frame) + self.rec(torch.tanh(h))
            h = (1.0 - self.leak) * h + self.leak * drive
            rates.append(torch.tanh(h))
        rates = torch.stack(rates)
        return self.readout(rates[-1]).squeeze(-1), rates
