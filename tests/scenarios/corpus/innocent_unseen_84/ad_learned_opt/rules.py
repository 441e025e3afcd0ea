import torch
from torch import nn

RULES = {}


def rule(name):
    def deco(cls):
        RULES[name] = cls
        return cls
    return deco


class UpdateRule(nn.Module):
    def begin(self, theta):
        raise NotImplementedError

    def forward(self, theta, grads, memory):
        raise NotImplementedError


@rule("momentum_mlp")
class MomentumMLP(UpdateRule):
    def __init__(self, hidden=12):
        super().__init__()
        self.body = nn.Sequential(nn.Linear(3, hidden), nn.Tanh(), nn.Linear(hidden, 1))
        self.raw_beta = nn.Parameter(torch.tensor(1.5))

    def begin(self, theta):
        return {n: torch.zeros_like(t) for n, t in theta.items()}

    def forward(self, theta, grads, memory):
        beta = torch.sigmoid(self.raw_beta)
        new_theta, new_memory = {}, {}
        for n, t in theta.items():
            m = beta * memory[n] + (1 - beta) * grads[n]
            feats = torch.stack([grads[n], m, t], -1)
            new_theta[n] = t - 0.1 * m - 0.1 * self.body(feats).squeeze(-1)
            new_memory[n] = m
        return new_theta, new_memory
