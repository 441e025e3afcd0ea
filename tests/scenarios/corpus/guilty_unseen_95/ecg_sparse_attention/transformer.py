import math

import torch
from torch import nn


class PrunedAttention(nn.Module):
    """Multi-head self-attention; small weights are dropped when `threshold` is above 0."""

    def __init__(self, dim, heads):
        super().__init__()
        self.h, self.dk = heads, dim // heads
        self.qkv = nn.Linear(dim, 3 * dim)
        self.out = nn.Linear(dim, dim)
        self.threshold = 0.0

    def forward(self, x):
        b, t, d = x.shape
        q, k, v = self.qkv(x).view(b, t, 3, self.h, self.dk).permute(2, 0, 3, 1, 4)
        attn = (q @ k.transpose(-1, -2) / math.sqrt(self.dk)).softmax(-1)
        if self.threshold > 0:
            attn.masked_fill_(attn < self.threshold, 0.0)  # <- culprit
        y = (attn @ v).transpose(1, 2).reshape(b, t, d)
        return self.out(y)


class Block(nn.Module):
    def __init__(self, dim, heads):
        super().__init__()
        self.n1, self.n2 = nn.LayerNorm(dim), nn.LayerNorm(dim)
        self.attn = PrunedAttention(dim, heads)
        self.mlp = nn.Sequential(nn.Linear(dim, 2 * dim), nn.GELU(), nn.Linear(2 * dim, dim))

    def forward(self, x):
        x = x + self.attn(self.n1(x))
        return x + self.mlp(self.n2(x))


class PatchEncoder(nn.Module):
    def __init__(self, n_classes, patch=8, dim=16, depth=2, heads=2, length=96):
        super().__init__()
        self.patch = patch
        self.embed = nn.Linear(patch, dim)
        self.pos = nn.Parameter(torch.randn(length // patch, dim) * 0.02)
        self.blocks = nn.ModuleList(Block(dim, heads) for _ in range(depth))
        self.head = nn.Linear(dim, n_classes)

    def set_pruning(self, threshold):
        for m in self.modules():
            if isinstance(m, PrunedAttention):
                m.threshold = threshold

    def forward(self, x):
        h = self.embed(x.unfold(1, self.patch, self.patch)) + self.pos
        for blk in self.blocks:
            h = blk(h)
        return self.head(h.mean(1))
