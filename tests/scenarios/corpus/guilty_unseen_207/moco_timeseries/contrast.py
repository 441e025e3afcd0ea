import copy

import torch
from torch import nn
import torch.nn.functional as F


def conv_encoder(dim):
    return nn.Sequential(
        nn.Conv1d(1, 16, 5, stride=2), nn.ReLU(), nn.Conv1d(16, 16, 5, stride=2), nn.ReLU(),
        nn.AdaptiveAvgPool1d(1), nn.Flatten(), nn.Linear(16, dim),
    )


class FeatureQueue(nn.Module):
    def __init__(self, size, dim):
        super().__init__()
        self.register_buffer("keys", F.normalize(torch.randn(size, dim), dim=-1))
        self.cursor = 0

    def push(self, fresh):
        slots = (self.cursor + torch.arange(len(fresh))) % len(self.keys)
        self.keys[slots] = fresh  # <- culprit
        self.cursor = int(slots[-1] + 1) % len(self.keys)


class Moco(nn.Module):
    def __init__(self, length, dim, size, momentum=0.99, temperature=0.1):
        super().__init__()
        self.query = conv_encoder(dim)
        self.key = copy.deepcopy(self.query).requires_grad_(False)
        self.queue = FeatureQueue(size, dim)
        self.momentum = momentum
        self.temperature = temperature

    @torch.no_grad()
    def encode_keys(self, x):
        for slow, fast in zip(self.key.parameters(), self.query.parameters()):
            slow.lerp_(fast, 1 - self.momentum)
        return F.normalize(self.key(x.unsqueeze(1)), dim=-1)

    def forward(self, a, b):
        q = F.normalize(self.query(a.unsqueeze(1)), dim=-1)
        k = self.encode_keys(b)
        positive = (q * k).sum(dim=-1, keepdim=True)
        negative = q @ self.queue.keys.T  # <- culprit
        logits = torch.cat([positive, negative], dim=1) / self.temperature
        self.queue.push(k)  # <- culprit
        return F.cross_entropy(logits, torch.zeros(len(q), dtype=torch.long))
