# gradwatch-corpus: kind=second-backward
# holder: self._bias_cache | self._bias_cache[length] | self.rel._bias_cache | model.rel._bias_cache | _bias_cache
# first-bad: 5
# also: graph-held
import random

import torch
import torch.nn.functional as F
from torch import nn

LENGTHS = (12, 16, 20, 24, 28)
ALPHABET = 20


class RelativeBias(nn.Module):
    """Distance MLP -> attention bias. The table depends on the length only, so it is kept."""

    def __init__(self, heads, hidden=16):
        super().__init__()
        self.mlp = nn.Sequential(nn.Linear(1, hidden), nn.SiLU(), nn.Linear(hidden, heads))
        self._bias_cache = {}

    def _build(self, length):
        pos = torch.arange(length).float()
        dist = (pos[None] - pos[:, None]).abs().unsqueeze(-1) / 10.0
        return self.mlp(dist).permute(2, 0, 1)

    def forward(self, length):
        if length not in self._bias_cache:  # <- culprit
            self._bias_cache[length] = self._build(length)  # <- culprit
        return self._bias_cache[length]  # <- culprit


class BiasedAttention(nn.Module):
    def __init__(self, dim, heads):
        super().__init__()
        self.heads = heads
        self.qkv = nn.Linear(dim, 3 * dim)
        self.out = nn.Linear(dim, dim)

    def forward(self, x, bias):
        b, n, d = x.shape
        q, k, v = self.qkv(x).view(b, n, 3, self.heads, d // self.heads).permute(2, 0, 3, 1, 4)
        att = (q @ k.transpose(-1, -2)) * (d // self.heads) ** -0.5 + bias
        y = att.softmax(-1) @ v
        return self.out(y.transpose(1, 2).reshape(b, n, d))


class Encoder(nn.Module):
    def __init__(self, dim=32, heads=4, classes=3):
        super().__init__()
        self.tok = nn.Embedding(ALPHABET, dim)
        self.rel = RelativeBias(heads)
        self.layers = nn.ModuleList(BiasedAttention(dim, heads) for _ in range(2))
        self.cls = nn.Linear(dim, classes)

    def forward(self, ids):
        x = self.tok(ids)
        bias = self.rel(ids.shape[1])
        for layer in self.layers:
            x = x + layer(F.layer_norm(x, x.shape[-1:]), bias)
        return self.cls(x.mean(1))


class BucketLoader:
    def __init__(self, per_bucket, batch=16, seed=0):
        self.per_bucket, self.batch = per_bucket, batch
        self.rng = random.Random(seed)
        self.g = torch.Generator().manual_seed(seed)

    def __iter__(self):
        for _ in range(self.per_bucket):
            order = list(LENGTHS)
            self.rng.shuffle(order)
            for n in order:
                ids = torch.randint(ALPHABET, (self.batch, n), generator=self.g)
                yield ids, (ids < 7).sum(1).mul(3).div(n, rounding_mode="floor").clamp(max=2)


def main():
    torch.manual_seed(0)
    model = Encoder()
    opt = torch.optim.AdamW(model.parameters(), lr=1e-3)
    for step, (ids, fold) in enumerate(BucketLoader(per_bucket=16)):
        loss = F.cross_entropy(model(ids), fold)
        opt.zero_grad()
        loss.backward()
        opt.step()
        if step % 2 == 0:
            print(f"step {step} len {ids.shape[1]} loss {loss.item():.4f}")


if __name__ == "__main__":
    main()
