import torch
from torch import nn

from gating import Gate


class Expert(nn.Sequential):
    def __init__(self, n_feat):
        super().__init__(nn.Linear(n_feat, 12), nn.ReLU(), nn.Linear(12, 1))


class MixtureOfExperts(nn.Module):
    def __init__(self, n_feat, n_experts):
        super().__init__()
        self.experts = nn.ModuleList([Expert(n_feat) for _ in range(n_experts)])
        self.gate = Gate(n_feat, n_experts)

    def forward(self, x, temperature=None):
        gate = self.gate(x, temperature)
        each = torch.cat([e(x) for e in self.experts], dim=1)
        return (gate * each).sum(dim=1), gate.mean(dim=0)
