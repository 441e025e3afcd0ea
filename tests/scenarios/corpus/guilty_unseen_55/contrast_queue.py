# gradwatch-corpus: kind=graph-held
# holder: self.queue | learner.queue | self
# first-bad: 1
"""Teacher-student contrastive pretraining with a queue of negatives."""
import copy
from collections import deque
from typing import NamedTuple

import torch
import torch.nn.functional as F
from torch import nn, Tensor


class Views(NamedTuple):
    query: Tensor
    key: Tensor

    def logits(self, negatives, temp):
        pos = (self.query * self.key).sum(-1, keepdim=True)
        if negatives is None:
            neg = self.query @ self.key.t()
            neg.diagonal().fill_(-1e4)
        else:
            neg = self.query @ negatives.t()
        return torch.cat([pos, neg], 1) / temp


class NegativeQueue(deque):
    """Fixed number of past batches."""

    def push(self, feats):
        if len(feats):
            self.append(feats)  # <- culprit

    def bank(self):
        if not self:
            return None
        return torch.cat(tuple(self)).detach()


class Encoder(nn.Module):
    def __init__(self, d=24, h=64, out=16):
        super().__init__()
        self.net = nn.Sequential(nn.Linear(d, h), nn.GELU(), nn.Linear(h, h), nn.GELU(), nn.Linear(h, out))

    def forward(self, x):
        return F.normalize(self.net(x), dim=-1)


class Learner:
    def __init__(self, depth=10, temp=0.2, tau=0.01):
        self.student = Encoder()
        self.teacher = copy.deepcopy(self.student).requires_grad_(False)
        self.queue = NegativeQueue(maxlen=depth)
        self.opt = torch.optim.AdamW(self.student.parameters(), lr=2e-3)
        self.temp = temp
        self.tau = tau

    def encode(self, a, b):
        with torch.no_grad():
            key = self.teacher(b)
        return Views(self.student(a), key)

    def step(self, a, b):
        views = self.encode(a, b)
        logits = views.logits(self.queue.bank(), self.temp)
        loss = F.cross_entropy(logits, torch.zeros(len(logits), dtype=torch.long))
        self.opt.zero_grad()
        loss.backward()
        self.opt.step()
        self._follow()
        self._remember(views)
        return loss.item()

    @torch.no_grad()
    def _follow(self):
        for t, s in zip(self.teacher.parameters(), self.student.parameters()):
            t.lerp_(s, self.tau)

    def _remember(self, views):
        self.queue.push(views.query)  # <- culprit


def augment(x):
    return x + 0.2 * torch.randn_like(x) + 0.3 * torch.randn(len(x), 1)


def main():
    torch.manual_seed(17)
    centers = torch.randn(40, 24) * 1.5
    learner = Learner()
    for i in range(110):
        x = centers[torch.randint(40, (48,))]
        loss = learner.step(augment(x), augment(x))
        if i % 22 == 0:
            print(f"[{i:03d}] nce {loss:.3f} queue {len(learner.queue)}")


if __name__ == "__main__":
    main()
