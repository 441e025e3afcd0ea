import torch
import torch.nn.functional as F
from torch import nn


class InstanceLearner:
    def __init__(self, bank, length, dim, tau):
        self.bank = bank
        self.tau = tau
        self.encoder = nn.Sequential(
            nn.Conv1d(1, 16, 7, stride=2, padding=3),
            nn.GroupNorm(4, 16),
            nn.SiLU(),
            nn.Conv1d(16, 32, 5, stride=2, padding=2),
            nn.SiLU(),
            nn.AdaptiveAvgPool1d(4),
            nn.Flatten(),
            nn.Linear(128, dim),
        )
        self.opt = torch.optim.SGD(self.encoder.parameters(), lr=0.05, momentum=0.9, nesterov=True)

    def encode(self, x):
        return F.normalize(self.encoder(x), dim=1)

    def nce(self, z1, z2):
        neg = self.bank.negatives(128)
        pos = (z1 * z2).sum(1, keepdim=True)
        far = z1 @ neg.t()
        scores = torch.cat([pos, far], 1) / self.tau
        return F.cross_entropy(scores, torch.zeros(len(z1), dtype=torch.long))

    def step(self, ids, views):
        first, second = views
        z1 = self.encode(first)
        z2 = self.encode(second)
        loss = self.nce(z1, z2)
        self.opt.zero_grad()
        loss.backward()
        self.opt.step()
        self.bank.store(ids, z1)  # <- culprit
        return loss.item()
