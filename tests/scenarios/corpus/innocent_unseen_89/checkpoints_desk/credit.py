import torch
from torch import nn


class Applicants:
    def __init__(self, cols):
        self.cols = cols
        self.w = torch.randn(cols)

    def batch(self, n):
        x = torch.randn(n, self.cols)
        p = torch.sigmoid(2 * (x @ self.w) * (1 + 0.3 * x[:, 0]))
        return x, torch.bernoulli(p)


class ScoreNet(nn.Module):
    def __init__(self, cols):
        super().__init__()
        self.first = nn.Linear(cols, 16)
        self.gate = nn.Linear(cols, 16)
        self.last = nn.Linear(16, 1)

    def forward(self, x):
        return self.last(torch.tanh(self.first(x)) * torch.sigmoid(self.gate(x))).squeeze(1)
