import copy

import torch
import torch.nn.functional as F
from torch import nn


def make_encoder(dim):
    return nn.Sequential(
        nn.Unflatten(1, (1, -1)),
        nn.Conv1d(1, 12, 9, stride=2, padding=4), nn.ReLU(),
        nn.Conv1d(12, 24, 5, stride=2, padding=2), nn.ReLU(),
        nn.AdaptiveAvgPool1d(4), nn.Flatten(), nn.Linear(96, dim))


class MoCo(nn.Module):
    def __init__(self, length, dim, queue, m=0.98, temperature=0.1):
        super().__init__()
        self.encoder_q = make_encoder(dim)
        self.encoder_k = copy.deepcopy(self.encoder_q).requires_grad_(False)
        self.m, self.temperature = m, temperature
        self.register_buffer("queue", F.normalize(torch.randn(queue, dim), dim=1))
        self.ptr = 0

    def query_parameters(self):
        return self.encoder_q.parameters()

    @torch.no_grad()
    def _momentum_update(self):
        for pk, pq in zip(self.encoder_k.parameters(), self.encoder_q.parameters()):
            pk.mul_(self.m).add_(pq, alpha=1 - self.m)

    @torch.no_grad()
    def _enqueue(self, keys):
        idx = (self.ptr + torch.arange(len(keys))) % len(self.queue)
        self.queue[idx] = keys
        self.ptr = (self.ptr + len(keys)) % len(self.queue)

    def forward(self, a, b):
        q = F.normalize(self.encoder_q(a), dim=1)
        with torch.no_grad():
            self._momentum_update()
            k = F.normalize(self.encoder_k(b), dim=1)
        pos = (q * k).sum(1, keepdim=True)
        neg = q @ self.queue.clone().t()
        logits = torch.cat([pos, neg], 1) / self.temperature
        loss = F.cross_entropy(logits, torch.zeros(len(q), dtype=torch.long))
        self._enqueue(k)
        info = {"acc": (logits.argmax(1) == 0).float().mean(), "queue_sim": neg.mean()}
        return loss, info
