import copy

import torch
import torch.nn.functional as F
from torch import nn


class MomentumContrast:
    def __init__(self, dim, code, bank, momentum=0.98, temperature=0.15):
        self.query = nn.Sequential(nn.Linear(dim, 48), nn.ReLU(), nn.Linear(48, code))
        self.key = copy.deepcopy(self.query).requires_grad_(False)
        self.bank = bank
        self.momentum = momentum
        self.temperature = temperature

    def loss(self, a, b):
        q = F.normalize(self.query(a), dim=-1)
        with torch.no_grad():
            k = F.normalize(self.key(b), dim=-1)
        if self.bank.full:
            positive = (q * k).sum(-1, keepdim=True)
            logits = torch.cat((positive, self.bank.similarity(q)), 1)
            target = torch.zeros(len(q), dtype=torch.long)
        else:
            logits, target = q @ k.t(), torch.arange(len(q))
        self.bank.push(k)  # <- culprit
        return F.cross_entropy(logits / self.temperature, target)

    @torch.no_grad()
    def follow(self):
        for pq, pk in zip(self.query.parameters(), self.key.parameters()):
            pk.lerp_(pq, 1 - self.momentum)
