import copy

import torch
from torch import nn
import torch.nn.functional as F

from queue_bank import KeyQueue
from taps import FeatureTaps


class PatchEncoder(nn.Module):
    def __init__(self, dim=32):
        super().__init__()
        self.stem = nn.Sequential(nn.Conv2d(1, 8, 3, 2, 1), nn.BatchNorm2d(8), nn.ReLU())
        self.body = nn.Sequential(nn.Conv2d(8, 16, 3, 2, 1), nn.BatchNorm2d(16), nn.ReLU())
        self.proj = nn.Sequential(nn.Flatten(), nn.Linear(144, 64), nn.ReLU(), nn.Linear(64, dim))

    def forward(self, x):
        return F.normalize(self.proj(self.body(self.stem(x))), dim=1)


class MoCo(nn.Module):
    def __init__(self, dim=32, queue=512, momentum=0.99, temperature=0.2, spread_weight=0.05):
        super().__init__()
        self.encoder_q = PatchEncoder(dim)
        self.encoder_k = copy.deepcopy(self.encoder_q).requires_grad_(False)
        self.taps = FeatureTaps(self.encoder_q, ["stem", "body"])
        self.bank = KeyQueue(dim, queue)
        self.m, self.tau, self.spread_weight = momentum, temperature, spread_weight

    @torch.no_grad()
    def momentum_update(self):
        for q, k in zip(self.encoder_q.parameters(), self.encoder_k.parameters()):
            k.mul_(self.m).add_(q, alpha=1 - self.m)

    @staticmethod
    def spread(feature_maps):
        """Channels should not die: hinge on the deviation of each over the batch."""
        std = torch.stack([f.mean((2, 3)).std(0).mean() for f in feature_maps])
        return F.relu(0.3 - std).mean()

    def forward(self, view_q, view_k):
        with self.taps.reading() as captured:
            q = self.encoder_q(view_q)
            spread = sum(self.spread(maps) for maps in captured.values())
        with torch.no_grad():
            self.momentum_update()
            k = self.encoder_k(view_k)
        positive = (q * k).sum(1, keepdim=True)
        negative = q @ self.bank.negatives().T
        logits = torch.cat([positive, negative], dim=1) / self.tau
        loss = F.cross_entropy(logits, torch.zeros(len(q), dtype=torch.long))
        self.bank.enqueue(k)
        return loss + self.spread_weight * spread, logits
