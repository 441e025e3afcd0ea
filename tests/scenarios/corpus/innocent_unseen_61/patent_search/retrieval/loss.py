"""Contrastive loss over the batch and the memory."""
import torch


class CrossBatchContrast:
    def __init__(self, memory, warmup, margin=0.4):
        self.memory, self.warmup, self.margin = memory, warmup, margin

    def _pairs(self, z, group, other, other_group, skip_self):
        sim = z @ other.T
        same = group[:, None] == other_group[None, :]
        pull = same & ~torch.eye(len(z), dtype=torch.bool) if skip_self else same
        attract = ((1 - sim) * pull).sum() / pull.sum().clamp(min=1)
        push = ~same
        repel = ((sim - self.margin).clamp(min=0) * push).sum() / push.sum().clamp(min=1)
        return attract + repel

    def __call__(self, step, z, group):
        loss = self._pairs(z, group, z, group, skip_self=True)
        if step >= self.warmup:
            loss = loss + self._pairs(z, group, self.memory.embedding, self.memory.group, skip_self=False)
        self.memory.push(z, group)
        return loss
