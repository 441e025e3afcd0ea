import torch
from torch import nn


class SugarModel(nn.Module):
    def __init__(self, probes=9):
        super().__init__()
        self.probe = nn.Linear(probes, 1)
        self.gamma = nn.Parameter(torch.zeros(probes))

    def forward(self, x):
        return self.probe(x).squeeze(1)

    def rough(self):
        return (self.probe.weight[0, 1:] - self.probe.weight[0, :-1]).square().sum() + self.gamma.square().sum()


class Vat:
    def __init__(self, probes=9):
        self.true = torch.linspace(-1, 1, probes)

    def assay(self, n):
        x = torch.randn(n, len(self.true))
        return x, x @ self.true + 0.1 * torch.randn(n)
