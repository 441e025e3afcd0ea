import copy
from collections import deque

import torch
import torch.nn.functional as F
from torch import nn


def projector(bins, dim):
    return nn.Sequential(nn.Linear(bins, 96), nn.LayerNorm(96), nn.ReLU(), nn.Linear(96, dim))


class MomentumContrast:
    def __init__(self, bins, dim, queue, m=0.98, tau=0.15):
        self.online = projector(bins, dim)
        self.target = copy.deepcopy(self.online)
        for p in self.target.parameters():
            p.requires_grad_(False)
        self.queue = deque(F.normalize(torch.randn(queue, dim), dim=1), maxlen=queue)
        self.m = m
        self.tau = tau
        self.opt = torch.optim.SGD(self.online.parameters(), lr=0.1, momentum=0.9, weight_decay=1e-4)

    def loss(self, x_query, x_key):
        q = F.normalize(self.online(x_query), dim=1)
        k = F.normalize(self.target(x_key), dim=1)
        negatives = torch.stack(tuple(self.queue))
        pos = torch.einsum("nd,nd->n", q, k).unsqueeze(1)
        neg = q @ negatives.t()
        logits = torch.cat([pos, neg], 1) / self.tau
        labels = torch.zeros(len(q), dtype=torch.long)
        self.queue.extend(k)
        return F.cross_entropy(logits, labels), logits

    def update(self, loss):
        self.opt.zero_grad()
        loss.backward()
        self.opt.step()
        self.drag_target()

    @torch.no_grad()
    def drag_target(self):
        for slow, fast in zip(self.target.parameters(), self.online.parameters()):
            slow.lerp_(fast, 1 - self.m)
