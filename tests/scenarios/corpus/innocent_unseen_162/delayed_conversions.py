# gradwatch-corpus: kind=none
"""Ad model: a prediction is served now, its label comes some rounds later."""
import random
from collections import deque

import torch
from torch import nn
import torch.nn.functional as F

torch.set_num_threads(1)
torch.manual_seed(40)
rng = random.Random(40)


class HashedLogit(nn.Module):
    """Sum of hashed weights, as in FTRL-style models."""

    def __init__(self, buckets=4096):
        super().__init__()
        self.table = nn.EmbeddingBag(buckets, 1, mode="sum")
        nn.init.zeros_(self.table.weight)
        self.bias = nn.Parameter(torch.zeros(()))

    def forward(self, ids):
        return self.table(ids).squeeze(-1) + self.bias


class PendingImpressions:
    """Served logits waiting for their labels. At most `window` rounds old."""

    def __init__(self, window):
        self.window = window
        self.slots = deque()

    def serve(self, now, logits, clicks):
        self.slots.append((now + rng.randint(2, self.window), logits, clicks))

    def due(self, now):
        ready = [s for s in self.slots if s[0] <= now]
        self.slots = deque(s for s in self.slots if s[0] > now)
        return ready


def traffic(n=64, fields=6):
    ids = torch.stack([torch.randint(0, 40, (n,)) + 40 * f for f in range(fields)], 1)
    score = ((ids * 7919) % 97).float().div(97).sub(0.5).sum(1) * 3
    return ids, (torch.rand(n) < torch.sigmoid(score)).float()


model = HashedLogit()
opt = torch.optim.Adagrad(model.parameters(), lr=0.2)
pending = PendingImpressions(window=9)
ledger = []
for now in range(260):
    ids, clicks = traffic()
    pending.serve(now, model(ids), clicks)
    arrived = pending.due(now)
    if not arrived:
        continue
    losses = [F.binary_cross_entropy_with_logits(lg, y) for _, lg, y in arrived]
    loss = torch.stack(losses).mean()
    opt.zero_grad()
    loss.backward()
    opt.step()
    ledger.append((now, len(arrived), loss.detach()))
    if now % 40 == 0:
        recent = torch.stack([l for *_, l in ledger[-30:]]).mean()
        print(f"round {now} waiting {len(pending.slots)} logloss {recent:.4f}")
