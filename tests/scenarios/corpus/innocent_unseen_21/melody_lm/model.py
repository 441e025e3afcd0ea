from functools import lru_cache

import torch
from torch import nn
from torch.nn import functional as F


@lru_cache(maxsize=None)
def causal(t, past):
    """Only a handful of shapes ever occur."""
    return torch.ones(t, past + t, dtype=torch.bool).tril(past)


class Block(nn.Module):
    def __init__(self, d, heads):
        super().__init__()
        self.heads = heads
        self.q, self.kv, self.o = nn.Linear(d, d), nn.Linear(d, 2 * d), nn.Linear(d, d)
        self.ff = nn.Sequential(nn.Linear(d, 2 * d), nn.GELU(), nn.Linear(2 * d, d))
        self.n1, self.n2 = nn.LayerNorm(d), nn.LayerNorm(d)

    def split(self, x):
        return x.unflatten(-1, (self.heads, -1)).transpose(1, 2)

    def mix(self, x, k, v, mask):
        y = F.scaled_dot_product_attention(self.split(self.q(self.n1(x))), self.split(k), self.split(v), attn_mask=mask)
        x = x + self.o(y.transpose(1, 2).flatten(2))
        return x + self.ff(self.n2(x))

    def forward(self, x, mem):
        past = 0 if mem is None else mem.shape[1]
        seen = x if mem is None else torch.cat([mem, x], 1)
        k, v = self.kv(self.n1(seen)).chunk(2, -1)
        return self.mix(x, k, v, causal(x.shape[1], past))

    def one(self, x, cache):
        k, v = self.kv(self.n1(x)).chunk(2, -1)
        cache["k"] = torch.cat([cache["k"], k], 1) if "k" in cache else k
        cache["v"] = torch.cat([cache["v"], v], 1) if "v" in cache else v
        return self.mix(x, cache["k"], cache["v"], None)


class MelodyLM(nn.Module):
    def __init__(self, notes, d, heads, depth):
        super().__init__()
        self.emb = nn.Embedding(notes, d)
        self.blocks = nn.ModuleList(Block(d, heads) for _ in range(depth))
        self.out = nn.Linear(d, notes)

    def forward(self, x, mems):
        h, hidden = self.emb(x), []
        for block, mem in zip(self.blocks, mems):
            hidden.append(h)
            h = block(h, mem)
        return self.out(h), hidden

    def empty_cache(self):
        return [{} for _ in self.blocks]

    def one(self, token, cache):
        h = self.emb(token)[:, None]
        for block, c in zip(self.blocks, cache):
            h = block.one(h, c)
        return self.out(h[:, 0])
