import torch
from torch import nn


class Bucket(nn.Module):
    def __init__(self, sites):
        super().__init__()
        self.et = nn.Parameter(torch.full((sites, 2), -2.0))
        self.drain = nn.Parameter(torch.full((sites,), -1.5))
        self.cap = nn.Parameter(torch.ones(sites))

    def forward(self, w, rain, temp):
        demand = torch.sigmoid(self.et[:, 0] + self.et[:, 1].exp() * temp)
        w = w + rain
        w = w - demand * w * 0.2
        spill = nn.functional.softplus(w - self.cap, beta=8)
        return w - spill * torch.sigmoid(self.drain)
