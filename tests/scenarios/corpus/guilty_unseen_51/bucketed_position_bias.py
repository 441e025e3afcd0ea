# gradwatch-corpus: kind=second-backward
# holder: self._cache | self.bias._cache | model.bias._cache | self.rel._cache | model.rel._cache
# first-bad: 5
# also: graph-held
"""Sequence sorting detector, batches bucketed by length, with a learned continuous position bias."""
import random

import torch
from torch import nn
import torch.nn.functional as F


class ContinuousPositionBias(nn.Module):
    """log-spaced relative offsets -> small MLP -> one bias per head (as in Swin v2)"""

    def __init__(self, heads, hidden=32):
        super().__init__()
        self.mlp = nn.Sequential(nn.Linear(1, hidden), nn.ReLU(), nn.Linear(hidden, heads))
        self._cache = {}

    def offsets(self, n):
        pos = torch.arange(n)
        rel = (pos[None, :] - pos[:, None]).float()
        return rel.sign() * torch.log1p(rel.abs())

    def forward(self, n):
        if n not in self._cache:
            table = self.mlp(self.offsets(n).unsqueeze(-1))
            self._cache[n] = table.permute(2, 0, 1)  # <- culprit
        return self._cache[n]  # <- culprit


class SortednessNet(nn.Module):
    def __init__(self, dim=32, heads=4, depth=2):
        super().__init__()
        self.heads = heads
        self.inp = nn.Linear(1, dim)
        self.rel = ContinuousPositionBias(heads)
        self.qkv = nn.ModuleList(nn.Linear(dim, 3 * dim) for _ in range(depth))
        self.mix = nn.ModuleList(nn.Linear(dim, dim) for _ in range(depth))
        self.norm = nn.ModuleList(nn.LayerNorm(dim) for _ in range(depth))
        self.cls = nn.Linear(dim, 2)

    def forward(self, x):
        b, n = x.shape
        bias = self.rel(n)
        h = self.inp(x.unsqueeze(-1))
        for qkv, mix, norm in zip(self.qkv, self.mix, self.norm):
            q, k, v = qkv(norm(h)).view(b, n, 3, self.heads, -1).permute(2, 0, 3, 1, 4)
            att = q @ k.transpose(-1, -2) / q.size(-1) ** 0.5 + bias
            out = (att.softmax(-1) @ v).transpose(1, 2).reshape(b, n, -1)
            h = h + F.gelu(mix(out))
        return self.cls(h.mean(1))


class BucketLoader:
    """Draws a length bucket in proportion to how many sequences it holds."""

    def __init__(self, lengths, per_bucket=96, batch_size=24, seed=0):
        self.rng = random.Random(seed)
        self.batch_size = batch_size
        self.buckets = {n: self.fill(n, per_bucket + 8 * n) for n in lengths}

    def fill(self, n, count):
        y = torch.randint(2, (count,))
        x = torch.rand(count, n)
        ordered = x.sort(1).values + 0.1 * torch.randn(count, n)
        return torch.where(y[:, None] == 1, ordered, x), y

    def batches(self, count):
        names = list(self.buckets)
        sizes = [len(self.buckets[n][1]) for n in names]
        for n in self.rng.choices(names, sizes, k=count):
            x, y = self.buckets[n]
            pick = torch.randint(len(y), (self.batch_size,))
            yield n, x[pick], y[pick]


def train(steps=100):
    torch.manual_seed(9)
    loader = BucketLoader(range(8, 72, 4), seed=4)
    model = SortednessNet()
    opt = torch.optim.RAdam(model.parameters(), lr=3e-3)
    correct = count = 0
    for step, (n, x, y) in enumerate(loader.batches(steps)):
        logits = model(x)
        loss = F.cross_entropy(logits, y)
        model.zero_grad(set_to_none=True)
        loss.backward()
        opt.step()
        correct += (logits.argmax(-1) == y).sum().item()
        count += len(y)
        print(f"step {step} len {n} loss {loss.item():.3f} acc {correct / count:.3f}")


if __name__ == "__main__":
    train()
