import torch
import torch.nn as nn


class Field(nn.Module):
    def __init__(self, width, depth):
        super().__init__()
        sizes = [2] + [width] * depth + [1]
        self.lin = nn.ModuleList(nn.Linear(a, b) for a, b in zip(sizes[:-1], sizes[1:]))
        for l in self.lin:
            nn.init.xavier_normal_(l.weight)
            nn.init.zeros_(l.bias)

    def forward(self, x, t):
        h = torch.cat([x, t], 1)
        for l in self.lin[:-1]:
            h = torch.tanh(l(h))
        return self.lin[-1](h)
