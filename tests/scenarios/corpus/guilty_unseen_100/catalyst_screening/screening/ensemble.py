from dataclasses import dataclass

import torch
from torch import nn


@dataclass
class Outputs:
    mean: torch.Tensor
    spread: torch.Tensor
    nll: torch.Tensor = None


class Member(nn.Module):
    def __init__(self, n_in, hidden):
        super().__init__()
        self.body = nn.Sequential(nn.Linear(n_in, hidden), nn.SiLU(), nn.Linear(hidden, 1))
        self.register_buffer("prior", 0.3 * torch.randn(n_in, 1))

    def forward(self, x):
        return (self.body(x) + x @ self.prior).squeeze(-1)


class Ensemble(nn.Module):
    def __init__(self, members, n_in, hidden):
        super().__init__()
        self.members = nn.ModuleList(Member(n_in, hidden) for _ in range(members))
        self.log_noise = nn.Parameter(torch.zeros(()))

    def forward(self, x):
        votes = torch.stack([m(x) for m in self.members])
        return Outputs(votes.mean(0), votes.std(0))

    def nll(self, out, y):
        var = out.spread.square() + self.log_noise.exp()
        return 0.5 * ((y - out.mean).square() / var + var.log()).mean()
