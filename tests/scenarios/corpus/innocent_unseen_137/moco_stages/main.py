# gradwatch-corpus: kind=none
"""Contrastive continual pre-training: momentum encoder, key queue, distillation from the stage before."""
import copy

import torch

torch.set_num_threads(1)
from torch import nn
import torch.nn.functional as F

from queue_ring import KeyQueue

torch.manual_seed(95)


def encoder():
    return nn.Sequential(nn.Linear(14, 24), nn.BatchNorm1d(24), nn.ReLU(), nn.Linear(24, 8))


class StagedMoCo:
    def __init__(self):
        self.q = encoder()
        self.k = copy.deepcopy(self.q).requires_grad_(False)
        self.queue = KeyQueue(64, 8)
        self.teacher = None

    def begin_stage(self):
        if self.teacher is not None or self.queue.filled:
            self.teacher = copy.deepcopy(self.q).eval().requires_grad_(False)
        self.opt = torch.optim.SGD(self.q.parameters(), lr=0.05, momentum=0.9)

    def step(self, a, b):
        zq = F.normalize(self.q(a), dim=1)
        with torch.no_grad():
            for pk, pq in zip(self.k.parameters(), self.q.parameters()):
                pk.mul_(0.98).add_(pq, alpha=0.02)
            zk = F.normalize(self.k(b), dim=1)
        logits = torch.cat([(zq * zk).sum(1, keepdim=True), zq @ self.queue.keys().T], 1) / 0.2
        loss = F.cross_entropy(logits, torch.zeros(len(a), dtype=torch.long))
        if self.teacher is not None:
            loss = loss + 0.5 * (zq - F.normalize(self.teacher(a), dim=1)).square().sum(1).mean()
        self.opt.zero_grad()
        loss.backward()
        self.opt.step()
        self.queue.push(zk)
        return loss


def views(centres, n=16):
    base = centres[torch.randint(0, len(centres), (n,))] + 0.5 * torch.randn(n, 14)
    return base + 0.1 * torch.randn_like(base), base + 0.1 * torch.randn_like(base)


moco = StagedMoCo()
for stage in range(4):
    centres = torch.randn(5, 14) * 2
    moco.begin_stage()
    level = torch.zeros(())
    for it in range(150):
        level = 0.95 * level + 0.05 * moco.step(*views(centres)).detach()
    print("stage", stage, f"{level.item():.4f}")
