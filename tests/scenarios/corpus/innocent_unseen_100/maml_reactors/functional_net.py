import torch
from torch import nn


class FastNet(nn.Module):
    """A network that can be evaluated on an alternative parameter dict."""

    def __init__(self, hidden):
        super().__init__()
        self.body = nn.Sequential(nn.Linear(1, hidden), nn.Tanh(), nn.Linear(hidden, hidden), nn.Tanh(), nn.Linear(hidden, 1))

    def forward(self, x):
        return self.body(x)

    def with_weights(self, weights, x):
        return torch.func.functional_call(self, weights, (x,))

    def weights(self):
        return dict(self.named_parameters())
