import copy

import torch
import torch.nn.functional as F
from torch import nn


class Twin(nn.Module):
    def __init__(self, inputs, dim):
        super().__init__()
        self.online = nn.Sequential(nn.Linear(inputs, 48), nn.ReLU(), nn.Linear(48, dim))
        self.slow = copy.deepcopy(self.online)
        for p in self.slow.parameters():
            p.requires_grad_(False)

    def follow(self, m=0.99):
        for s, p in zip(self.slow.parameters(), self.online.parameters()):
            s.data = torch.lerp(s.data, p.data, 1 - m)


class ContrastTrainer:
    def __init__(self, twin, bank, temperature=0.2):
        self.twin, self.bank, self.temperature = twin, bank, temperature
        self.opt = torch.optim.SGD(twin.online.parameters(), lr=0.05, momentum=0.9)

    def _logits(self, q, k):
        pos = (q * k).sum(1, keepdim=True)
        return torch.cat([pos, q @ self.bank.negatives().t()], 1) / self.temperature

    def step(self, a, b):
        q = F.normalize(self.twin.online(a), dim=1)
        k = F.normalize(self.twin.slow(b), dim=1)
        logits = self._logits(q, k)
        loss = F.cross_entropy(logits, torch.zeros(len(a), dtype=torch.long))
        self.opt.zero_grad()
        loss.backward()
        self.opt.step()
        self.bank.push(k)
        self.twin.follow()
        return loss.item()
