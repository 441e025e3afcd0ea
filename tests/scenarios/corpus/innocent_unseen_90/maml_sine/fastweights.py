import torch
import torch.nn.functional as F
from torch import nn


class FastNet(nn.Module):
    def __init__(self, sizes):
        super().__init__()
        self.slow = nn.ParameterList()
        for i, o in zip(sizes[:-1], sizes[1:]):
            self.slow.append(nn.Parameter(torch.randn(o, i) * (2 / i) ** 0.5))
            self.slow.append(nn.Parameter(torch.zeros(o)))

    def forward(self, x, weights=None):
        weights = list(self.slow) if weights is None else weights
        for i in range(0, len(weights), 2):
            x = F.linear(x, weights[i], weights[i + 1])
            if i + 2 < len(weights):
                x = torch.tanh(x)
        return x
