import torch
from torch import nn
import torch.nn.functional as F


class NegativeBank(nn.Module):
    def __init__(self, size, dim):
        super().__init__()
        self.register_buffer("queue", F.normalize(torch.randn(size, dim), dim=1))
        self.ptr = 0

    @torch.no_grad()
    def enqueue(self, keys):
        n = keys.size(0)
        self.queue[self.ptr:self.ptr + n] = keys  # <- culprit
        self.ptr = (self.ptr + n) % self.queue.size(0)

    def scores(self, q):
        return q @ self.queue.t()  # <- culprit


class MomentumContrast(nn.Module):
    def __init__(self, make_encoder, bank, dim, temperature, m=0.99):
        super().__init__()
        self.query, self.key = make_encoder(), make_encoder()
        self.key.load_state_dict(self.query.state_dict())
        self.key.requires_grad_(False)
        self.bank, self.t, self.m = NegativeBank(bank, dim), temperature, m

    @torch.no_grad()
    def update_key(self):
        for k, q in zip(self.key.parameters(), self.query.parameters()):
            k.lerp_(q, 1 - self.m)

    def forward(self, xq, xk):
        q = self.query(xq)
        with torch.no_grad():
            k = self.key(xk)
        pos = (q * k).sum(1, keepdim=True)
        logits = torch.cat([pos, self.bank.scores(q)], 1) / self.t
        self.bank.enqueue(k)  # <- culprit
        return F.cross_entropy(logits, torch.zeros(len(q), dtype=torch.long))
