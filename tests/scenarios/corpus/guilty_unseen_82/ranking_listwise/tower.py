import torch
from torch import nn
import torch.nn.functional as F


class TwoTower(nn.Module):
    def __init__(self, q_dim, i_dim, dim):
        super().__init__()
        self.q = nn.Sequential(nn.Linear(q_dim, 32), nn.ReLU(), nn.Linear(32, dim))
        self.i = nn.Sequential(nn.Linear(i_dim, 32), nn.ReLU(), nn.Linear(32, dim))
        self.log_tau = nn.Parameter(torch.zeros(()))

    def forward(self, query, items):
        q = F.normalize(self.q(query), dim=-1)
        i = F.normalize(self.i(items), dim=-1)
        return torch.einsum("qd,qsd->qs", q, i) * (4.0 * self.log_tau.exp()), i
