import torch
from torch import nn


class StopGraph(nn.Module):
    """Learned adjacency between stops (row-stochastic)."""

    def __init__(self, stops, rank=3):
        super().__init__()
        self.src = nn.Parameter(torch.randn(stops, rank) * 0.3)
        self.dst = nn.Parameter(torch.randn(stops, rank) * 0.3)
        self.mixing = torch.softmax(torch.relu(self.src @ self.dst.T), dim=1)  # <- culprit

    def forward(self, delay):
        return delay @ self.mixing.T


class DelayModel(nn.Module):
    def __init__(self, stops):
        super().__init__()
        self.stops = StopGraph(stops)
        self.own = nn.Parameter(torch.full((stops,), 0.5))
        self.bias = nn.Parameter(torch.zeros(stops))

    def forward(self, delay):
        return self.own * delay + self.stops(delay) + self.bias
