"""Two rounds of continuous-filter messages, sum pooling."""
import torch
from torch import nn


class Basis(nn.Module):
    def __init__(self, n=12, cutoff=5.0):
        super().__init__()
        self.register_buffer("mu", torch.linspace(0.2, cutoff, n))
        self.beta = (n / cutoff) ** 2

    def forward(self, d):
        return torch.exp(-self.beta * (d.unsqueeze(-1) - self.mu) ** 2)


class Message(nn.Module):
    def __init__(self, hidden, n_basis):
        super().__init__()
        self.filter = nn.Sequential(nn.Linear(n_basis, hidden), nn.SiLU(), nn.Linear(hidden, hidden))
        self.inner = nn.Linear(hidden, hidden, bias=False)
        self.outer = nn.Sequential(nn.Linear(hidden, hidden), nn.SiLU(), nn.Linear(hidden, hidden))

    def forward(self, h, basis, mask):
        w = self.filter(basis) * mask
        return h + self.outer((w * self.inner(h).unsqueeze(1)).sum(2))


class EnergyNet(nn.Module):
    def __init__(self, hidden=24, n_basis=12, rounds=2):
        super().__init__()
        self.embed = nn.Embedding(3, hidden)
        self.basis = Basis(n_basis)
        self.rounds = nn.ModuleList(Message(hidden, n_basis) for _ in range(rounds))
        self.head = nn.Sequential(nn.Linear(hidden, hidden), nn.SiLU(), nn.Linear(hidden, 1))

    def forward(self, z, pos):
        d = (pos.unsqueeze(2) - pos.unsqueeze(1)).pow(2).sum(-1).clamp_min(1e-6).sqrt()
        mask = (1 - torch.eye(pos.shape[1])).unsqueeze(-1)
        basis = self.basis(d)
        h = self.embed(z)
        for block in self.rounds:
            h = block(h, basis, mask)
        return self.head(h).sum((1, 2))
