# gradwatch-corpus: kind=second-backward
# holder: self._cache | self._cache[n] | self.bias._cache | model.bias._cache
# first-bad: 5
# also: graph-held
import random

import torch
from torch import nn


class RelativeBias(nn.Module):
    """Learned attention bias per head and (clipped) distance."""

    def __init__(self, n_heads, max_dist=8):
        super().__init__()
        self.max_dist = max_dist
        self.table = nn.Embedding(2 * max_dist + 1, n_heads)
        nn.init.zeros_(self.table.weight)
        self._cache = {}

    def forward(self, n):
        if n not in self._cache:
            pos = torch.arange(n)
            dist = (pos[None, :] - pos[:, None]).clamp(-self.max_dist, self.max_dist)
            self._cache[n] = self.table(dist + self.max_dist).permute(2, 0, 1)  # <- culprit
        return self._cache[n]  # <- culprit


class Tagger(nn.Module):
    def __init__(self, n_in=6, dim=32, heads=4, n_tags=4):
        super().__init__()
        self.heads = heads
        self.inp = nn.Linear(n_in, dim)
        self.qkv = nn.Linear(dim, 3 * dim)
        self.proj = nn.Linear(dim, dim)
        self.norm = nn.LayerNorm(dim)
        self.bias = RelativeBias(heads)
        self.out = nn.Linear(dim, n_tags)

    def forward(self, x):
        h = self.inp(x)
        b, n, d = h.shape
        q, k, v = self.qkv(h).view(b, n, 3, self.heads, d // self.heads).permute(2, 0, 3, 1, 4)
        att = q @ k.transpose(-1, -2) / (d // self.heads) ** 0.5 + self.bias(n)
        z = (att.softmax(-1) @ v).transpose(1, 2).reshape(b, n, d)
        return self.out(self.norm(h + self.proj(z)))


class GestureBatches:
    """Batches of equal length, lengths drawn from buckets."""

    def __init__(self, n_batches, batch_size, lengths, seed):
        self.n_batches, self.batch_size, self.lengths = n_batches, batch_size, lengths
        self.rng = random.Random(seed)

    def __iter__(self):
        for _ in range(self.n_batches):
            n = self.rng.choice(self.lengths)
            tags = torch.randint(0, 4, (self.batch_size, n // 4 + 1)).repeat_interleave(4, dim=1)[:, :n]
            x = torch.randn(self.batch_size, n, 6)
            x[..., :4] += 1.5 * nn.functional.one_hot(tags, 4)
            yield x, tags


def fit(model, batches, lr=2e-3):
    optimizer = torch.optim.AdamW(model.parameters(), lr=lr)
    ok, skipped, avg = 0, 0, None
    for i, (x, tags) in enumerate(batches):
        try:
            optimizer.zero_grad()
            loss = nn.functional.cross_entropy(model(x).flatten(0, 1), tags.flatten())
            loss.backward()
            optimizer.step()
        except RuntimeError as err:  # out of memory on long batches
            skipped += 1
            if skipped <= 2:
                print(f"| WARNING: batch {i} (length {x.shape[1]}) skipped: {str(err)[:48]}...")
            continue
        ok += 1
        avg = loss.item() if avg is None else 0.9 * avg + 0.1 * loss.item()
        if ok % 5 == 0:
            print(f"| batch {i:3d} | length {x.shape[1]:2d} | avg loss {avg:.4f}")
    print(f"| done, {ok} batches trained, {skipped} skipped, avg loss {avg:.4f}")


if __name__ == "__main__":
    torch.manual_seed(2)
    fit(Tagger(), GestureBatches(70, 16, lengths=range(12, 44, 2), seed=13))
