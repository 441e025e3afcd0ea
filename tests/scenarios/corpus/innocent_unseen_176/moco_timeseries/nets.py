import copy

import torch
import torch.nn as nn
import torch.nn.functional as F


class Encoder(nn.Module):
    def __init__(self, length: int, dim: int = 16):
        super().__init__()
        self.net = nn.Sequential(nn.Linear(length, 48), nn.ReLU(), nn.Linear(48, dim))

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return F.normalize(self.net(x), dim=-1)


class MoCo(nn.Module):
    def __init__(self, length: int, bank: int = 1024, momentum: float = 0.99, tau: float = 0.1):
        super().__init__()
        self.query = Encoder(length)
        self.key = copy.deepcopy(self.query).requires_grad_(False)
        self.register_buffer("bank", F.normalize(torch.randn(bank, 16), dim=-1))
        self.cursor, self.momentum, self.tau = 0, momentum, tau

    @torch.no_grad()
    def encode_key(self, x: torch.Tensor) -> torch.Tensor:
        for k, q in zip(self.key.parameters(), self.query.parameters()):
            k.lerp_(q, 1 - self.momentum)
        return self.key(x)

    @torch.no_grad()
    def enqueue(self, keys: torch.Tensor) -> None:
        slots = (self.cursor + torch.arange(len(keys))) % len(self.bank)
        self.bank[slots] = keys
        self.cursor = int(slots[-1]) + 1

    def forward(self, a: torch.Tensor, b: torch.Tensor):
        q, k = self.query(a), self.encode_key(b)
        logits = torch.cat([(q * k).sum(-1, keepdim=True), q @ self.bank.clone().T], 1) / self.tau
        return F.cross_entropy(logits, torch.zeros(len(q), dtype=torch.long)), k
