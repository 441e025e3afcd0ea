import torch
import torch.nn as nn


class MLP(nn.Module):
    def __init__(self, width, depth):
        super().__init__()
        dims = [2] + [width] * depth
        self.layers = nn.ModuleList(nn.Linear(a, b) for a, b in zip(dims, dims[1:]))
        self.out = nn.Linear(width, 1)
        self.slope = nn.Parameter(torch.ones(depth))  # adaptive activation
        for l in self.layers:
            nn.init.xavier_normal_(l.weight)

    def forward(self, x, t):
        h = torch.cat([x, t], -1)
        for a, l in zip(self.slope, self.layers):
            h = torch.tanh(a * l(h))
        return self.out(h)
