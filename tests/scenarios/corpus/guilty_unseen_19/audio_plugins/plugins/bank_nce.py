"""InfoNCE against a first-in-first-out bank of keys."""
import torch
import torch.nn as nn
import torch.nn.functional as F


class BankNCE(nn.Module):
    def __init__(self, dim, size, temperature, settle):
        super().__init__()
        self.temperature = temperature
        self.settle = settle
        self.register_buffer("queue", F.normalize(torch.randn(dim, size), dim=0))
        self.cursor = 0
        self.calls = 0

    @torch.no_grad()
    def _enqueue(self, keys):
        n = keys.shape[0]
        self.queue[:, self.cursor:self.cursor + n] = keys.t()  # <- culprit
        self.cursor = (self.cursor + n) % self.queue.shape[1]

    def forward(self, q, k):
        pos = (q * k).sum(1, keepdim=True)
        neg = q @ self.queue  # <- culprit
        logits = torch.cat([pos, neg], dim=1) / self.temperature
        loss = F.cross_entropy(logits, torch.zeros(len(q), dtype=torch.long))
        # the first keys come from an untrained encoder, random ones do as well
        if self.calls >= self.settle:
            self._enqueue(k)  # <- culprit
        self.calls += 1
        return loss


def build(**options):
    return BankNCE(**options)
