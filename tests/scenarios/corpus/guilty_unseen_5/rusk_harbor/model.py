import math

import torch
from torch import nn

PORTS = ("Skagen", "Esbjerg", "Rønne", "Aalborg", "Grenaa")


class BerthDemand(nn.Module):
    """Hours of berth needed next week, from two weeks of arrivals and the port."""

    def __init__(self, size=24):
        super().__init__()
        self.port = nn.Embedding(len(PORTS), size)
        self.week = nn.LSTM(3, size, batch_first=True)
        self.read = nn.Sequential(nn.Linear(size, size), nn.SiLU(), nn.Linear(size, 1), nn.Softplus())

    def forward(self, arrivals, port):
        seq, _ = self.week(arrivals)
        return self.read(seq[:, -1] + self.port.weight[port]).squeeze(1)


class Logbook:
    def __init__(self, seed, days=14, batch=32):
        self.gen = torch.Generator().manual_seed(seed)
        self.days, self.batch = days, batch

    def draw(self, number):
        which = number % len(PORTS)
        day = torch.arange(self.days).float()
        tide = torch.sin(2 * math.pi * (day + which) / 7).expand(self.batch, -1)
        ships = torch.poisson((2 + tide).clamp(min=0.1) * (1 + which / 4), generator=self.gen)
        tons = torch.rand(self.batch, self.days, generator=self.gen) * ships
        need = 0.2 * (ships[:, -7:].sum(1) + 2 * tons[:, -7:].sum(1)) / 3
        return torch.stack([ships / 4, tons / 4, tide], dim=-1), need, which
