import torch
import torch.nn.functional as F
from torch import nn


class MemoryBlock(nn.Module):
    def __init__(self, dim, heads=4):
        super().__init__()
        self.heads = heads
        self.q, self.kv, self.o = nn.Linear(dim, dim), nn.Linear(dim, 2 * dim), nn.Linear(dim, dim)
        self.ff = nn.Sequential(nn.LayerNorm(dim), nn.Linear(dim, 2 * dim), nn.GELU(), nn.Linear(2 * dim, dim))
        self.norm = nn.LayerNorm(dim)

    def split(self, x):
        return x.unflatten(-1, (self.heads, -1)).transpose(1, 2)

    def forward(self, x, past):
        k, v = self.kv(self.norm(torch.cat([past, x], 1))).chunk(2, -1)
        q = self.split(self.q(self.norm(x)))
        a = F.scaled_dot_product_attention(q, self.split(k), self.split(v))
        x = x + self.o(a.transpose(1, 2).flatten(2))
        return x + self.ff(x)


class LogXL(nn.Module):
    """Two blocks with a memory of the former segment, for next-event prediction in machine logs."""

    def __init__(self, events=60, dim=32, depth=2):
        super().__init__()
        self.dim, self.depth = dim, depth
        self.emb = nn.Embedding(events, dim)
        self.blocks = nn.ModuleList(MemoryBlock(dim) for _ in range(depth))
        self.out = nn.Linear(dim, events)

    def forward(self, ids, memory):
        x, fresh = self.emb(ids), []
        for block, past in zip(self.blocks, memory):
            fresh.append(x)
            x = block(x, past)
        return self.out(x), tuple(fresh)

    def blank(self, rows, length):
        return tuple(torch.zeros(rows, length, self.dim) for _ in range(self.depth))
