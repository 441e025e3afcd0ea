import torch
import torch.nn.functional as F


class KeyQueue:
    def __init__(self, dim, size, temperature=0.2):
        self.bank = F.normalize(torch.randn(size, dim), dim=1)
        self.cursor = 0
        self.temperature = temperature

    def info_nce(self, q, k):
        pos = (q * k).sum(1, keepdim=True)
        neg = q @ self.bank.t()
        logits = torch.cat([pos, neg], 1) / self.temperature
        target = torch.zeros(len(q), dtype=torch.long)
        return F.cross_entropy(logits, target), logits

    def push(self, k):
        n = len(k)
        self.bank = self.bank.clone()
        self.bank[self.cursor:self.cursor + n] = k
        self.cursor = (self.cursor + n) % len(self.bank)
