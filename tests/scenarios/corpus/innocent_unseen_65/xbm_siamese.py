# gradwatch-corpus: kind=none
"""Siamese signature verification with a cross-batch memory, hard pairs that are kept for the next
batches, and skipping of batches whose loss jumps."""
import heapq
import itertools
from collections import deque
from statistics import median

import torch
from torch import nn
import torch.nn.functional as F


class Embedder(nn.Module):
    def __init__(self, d_in=48, d=16):
        super().__init__()
        self.net = nn.Sequential(nn.Linear(d_in, 64), nn.ReLU(), nn.LayerNorm(64), nn.Linear(64, d))

    def forward(self, x):
        return F.normalize(self.net(x), dim=1)


class CrossBatchMemory:
    def __init__(self, slots):
        self.slots = deque(maxlen=slots)

    def add(self, emb, labels):
        self.slots.append((emb.detach().clone(), labels))

    def get(self):
        e, l = zip(*self.slots)
        return torch.cat(e), torch.cat(l)


class HardPairs:
    """The hardest pairs met so far, as raw inputs; embedded anew each time they are used."""

    def __init__(self, keep):
        self.heap, self.keep = [], keep
        self.tie = itertools.count()

    def offer(self, hardness, xa, xb, same):
        item = (hardness, next(self.tie), xa, xb, same)
        if len(self.heap) < self.keep:
            heapq.heappush(self.heap, item)
        else:
            heapq.heappushpop(self.heap, item)

    def batch(self):
        _, _, a, b, s = zip(*self.heap)
        return torch.stack(a), torch.stack(b), torch.tensor(s)

    def decay(self):
        self.heap = [(0.97 * h, *rest) for h, *rest in self.heap]
        heapq.heapify(self.heap)


def contrastive(dist, same, margin=0.8):
    return torch.where(same, dist.pow(2), F.relu(margin - dist).pow(2))


class SpikeGuard:
    def __init__(self, window=5, factor=4.0):
        self.recent = deque(maxlen=window)
        self.factor = factor

    def __call__(self, loss):
        spike = len(self.recent) == self.recent.maxlen and loss > self.factor * median(self.recent)
        self.recent.append(loss)
        return bool(spike)


class Verifier:
    def __init__(self, writers=10):
        self.gen = torch.Generator().manual_seed(12)
        self.hand = torch.randn(writers, 48, generator=self.gen)
        self.writers = writers
        self.net = Embedder()
        self.opt = torch.optim.Adam(self.net.parameters(), lr=2e-3)
        self.memory, self.hard, self.guard = CrossBatchMemory(6), HardPairs(24), SpikeGuard()
        self.skipped = 0

    def signatures(self, n=24):
        y = torch.randint(self.writers, (n,), generator=self.gen)
        return self.hand[y] + 1.5 * torch.randn(n, 48, generator=self.gen), y

    def step(self, it):
        x, y = self.signatures()
        emb = self.net(x)
        self.memory.add(emb, y)
        ref, ref_y = self.memory.get()
        dist = torch.cat([torch.cdist(emb, emb), torch.cdist(emb, ref[:-len(y)])], 1) if len(ref) > len(y) \
            else torch.cdist(emb, emb)
        same = y.unsqueeze(1) == torch.cat([y, ref_y[:-len(y)]]).unsqueeze(0)
        per_pair = contrastive(dist, same)
        pos, neg = per_pair[same], per_pair[~same]
        loss = pos.mean() + neg.sum() / (neg > 0).sum().clamp(min=1)
        if it > 20:
            a, b, s = self.hard.batch()
            d = (self.net(a) - self.net(b) + 1e-6).norm(dim=1)
            loss = loss + 0.2 * contrastive(d, s).mean()
        i, j = divmod(int(per_pair[:, : len(y)].argmax()), len(y))
        self.hard.offer(per_pair[i, j].item(), x[i], x[j], bool(same[i, j]))
        self.hard.decay()
        if self.guard(loss):
            self.skipped += 1
            return loss.item()
        self.opt.zero_grad()
        loss.backward()
        self.opt.step()
        return loss.item()


if __name__ == "__main__":
    torch.set_num_threads(1)
    torch.manual_seed(12)
    v = Verifier()
    losses = [v.step(i) for i in range(220)]
    for i in range(0, 220, 44):
        print(f"{i:3d} mean loss {sum(losses[i:i + 44]) / 44:.4f}")
    print("skipped", v.skipped, "hardest", max(v.hard.heap)[0])
