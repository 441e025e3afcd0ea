import torch
import torch.nn.functional as F
from torch import nn


class QueueContrast(nn.Module):
    """InfoNCE; negatives come from a ring buffer of earlier keys."""

    def __init__(self, size, dim, temperature):
        super().__init__()
        self.register_buffer("queue", F.normalize(torch.randn(size, dim), dim=1))
        self.ptr = 0
        self.t = temperature

    def enqueue(self, keys):
        n = len(keys)
        self.queue[self.ptr:self.ptr + n] = keys
        self.ptr = (self.ptr + n) % len(self.queue)

    def forward(self, q, k):
        pos = (q * k).sum(1, keepdim=True)
        neg = q @ self.queue.clone().T
        logits = torch.cat([pos, neg], dim=1) / self.t
        target = torch.zeros(len(q), dtype=torch.long)
        loss = F.cross_entropy(logits, target)
        self.enqueue(k)
        top1 = (logits.argmax(1) == 0).float().mean().item()
        return loss, top1
