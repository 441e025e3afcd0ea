import copy

import torch
import torch.nn.functional as F
from torch import nn


class EMAMixin:
    decay = 0.97

    def spawn_slow(self, net):
        return copy.deepcopy(net).requires_grad_(False)

    def update_slow(self, slow, net):
        with torch.no_grad():
            torch._foreach_lerp_(list(slow.parameters()), list(net.parameters()), 1 - self.decay)


class KeyQueue:
    def __init__(self, size, dim):
        self.size = size
        self.keys = F.normalize(torch.randn(size, dim), dim=-1)

    def push(self, keys):
        self.keys = torch.cat([self.keys, keys])[-self.size:]


class ParagraphEncoder(nn.Module):
    def __init__(self, vocab, dim):
        super().__init__()
        self.bag = nn.EmbeddingBag(vocab, dim)
        self.proj = nn.Sequential(nn.Linear(dim, dim), nn.ReLU(), nn.Linear(dim, dim))

    def forward(self, tokens):
        return F.normalize(self.proj(self.bag(tokens)), dim=-1)


class QueueLearner(EMAMixin):
    def __init__(self, vocab, dim, queue, accumulate, tau=0.15):
        self.fast = ParagraphEncoder(vocab, dim)
        self.slow = self.spawn_slow(self.fast)
        self.queue = KeyQueue(queue, dim)
        self.accumulate, self.tau = accumulate, tau
        self.opt = torch.optim.AdamW(self.fast.parameters(), lr=3e-3)
        self.callbacks, self.shared = [], {}

    def contrast(self, view_a, view_b):
        q, k = self.fast(view_a), self.slow(view_b)
        positive = (q * k).sum(-1, keepdim=True)
        logits = torch.cat([positive, q @ self.queue.keys.t()], -1) / self.tau
        self.queue.push(k)
        self.shared["key_norm"] = k.mean(0).norm()
        return F.cross_entropy(logits, torch.zeros(len(q), dtype=torch.long))

    def fit(self, stream):
        total = 0.0
        for i, (a, b) in enumerate(stream, start=1):
            loss = self.contrast(a, b) / self.accumulate
            loss.backward()
            total = total + loss
            if i % self.accumulate == 0:
                self.opt.step()
                self.opt.zero_grad()
                self.update_slow(self.slow, self.fast)
                for cb in self.callbacks:
                    cb.on_update(self, total)
                total = 0.0
        for cb in self.callbacks:
            cb.on_fit_end(self)
