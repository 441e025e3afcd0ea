import torch
from torch import nn
import torch.nn.functional as F


class FunctionalMLP(nn.Module):
    def __init__(self, dims):
        super().__init__()
        self.params = nn.ParameterList()
        for a, b in zip(dims[:-1], dims[1:]):
            self.params.append(nn.Parameter(torch.randn(b, a) / a ** 0.5))
            self.params.append(nn.Parameter(torch.zeros(b)))

    def forward(self, x, params=None):
        p = list(self.params) if params is None else params
        for i in range(0, len(p), 2):
            x = F.linear(x, p[i], p[i + 1])
            if i + 2 < len(p):
                x = torch.tanh(x)
        return x
