import torch
from torch import nn
import torch.nn.functional as F


class RelativeBias(nn.Module):
    def __init__(self, heads, max_distance=8):
        super().__init__()
        self.max_distance = max_distance
        self.table = nn.Embedding(2 * max_distance + 1, heads)
        self._cache = {}

    def _indices(self, n):
        pos = torch.arange(n)
        rel = pos[None] - pos[:, None]
        return rel.clamp(-self.max_distance, self.max_distance) + self.max_distance

    def forward(self, n):
        if n not in self._cache:
            self._cache[n] = self.table(self._indices(n)).permute(2, 0, 1)  # <- culprit
        return self._cache[n]


class Block(nn.Module):
    def __init__(self, dim, heads):
        super().__init__()
        self.heads = heads
        self.qkv = nn.Linear(dim, 3 * dim)
        self.out = nn.Linear(dim, dim)
        self.bias = RelativeBias(heads)
        self.norm1, self.norm2 = nn.LayerNorm(dim), nn.LayerNorm(dim)
        self.ff = nn.Sequential(nn.Linear(dim, 2 * dim), nn.GELU(), nn.Linear(2 * dim, dim))

    def forward(self, x):
        b, n, d = x.shape
        q, k, v = self.qkv(self.norm1(x)).view(b, n, 3, self.heads, -1).permute(2, 0, 3, 1, 4)
        score = q @ k.transpose(-1, -2) / (d // self.heads) ** 0.5 + self.bias(n)
        mix = F.softmax(score, -1) @ v
        x = x + self.out(mix.transpose(1, 2).reshape(b, n, d))
        return x + self.ff(self.norm2(x))


class Tagger(nn.Module):
    def __init__(self, vocab=40, tags=6, dim=24, heads=3, depth=2):
        super().__init__()
        self.emb = nn.Embedding(vocab, dim)
        self.blocks = nn.ModuleList(Block(dim, heads) for _ in range(depth))
        self.head = nn.Linear(dim, tags)

    def forward(self, ids):
        x = self.emb(ids)
        for blk in self.blocks:
            x = blk(x)
        return self.head(x)
