from typing import NamedTuple, Tuple

import torch
from torch import nn
import torch.nn.functional as F


class Memory(NamedTuple):
    layers: Tuple[torch.Tensor, ...]

    def extend(self, hiddens, mem_len):
        new = []
        for old, h in zip(self.layers, hiddens):
            new.append(torch.cat([old, h], 1)[:, -mem_len:])  # <- culprit
        return Memory(tuple(new))


class XLLayer(nn.Module):
    def __init__(self, d, heads=4):
        super().__init__()
        self.h = heads
        self.norm = nn.LayerNorm(d)
        self.q, self.kv, self.o = nn.Linear(d, d), nn.Linear(d, 2 * d), nn.Linear(d, d)
        self.ff = nn.Sequential(nn.LayerNorm(d), nn.Linear(d, 2 * d), nn.GELU(), nn.Linear(2 * d, d))

    def forward(self, x, mem):
        B, T, D = x.shape
        ctx = self.norm(torch.cat([mem, x], 1))
        M = mem.shape[1]
        q = self.q(ctx[:, M:]).view(B, T, self.h, -1).transpose(1, 2)
        k, v = self.kv(ctx).view(B, M + T, 2, self.h, -1).permute(2, 0, 3, 1, 4)
        mask = torch.ones(T, M + T, dtype=torch.bool).tril(M)
        a = F.scaled_dot_product_attention(q, k, v, attn_mask=mask)
        x = x + self.o(a.transpose(1, 2).reshape(B, T, D))
        return x + self.ff(x)


class XLModel(nn.Module):
    def __init__(self, vocab, d, layers, mem_len):
        super().__init__()
        self.mem_len, self.d = mem_len, d
        self.emb = nn.Embedding(vocab, d)
        self.layers = nn.ModuleList(XLLayer(d) for _ in range(layers))
        self.out = nn.Linear(d, vocab)

    def empty_memory(self, bs):
        return Memory(tuple(torch.zeros(bs, 0, self.d) for _ in self.layers))

    def forward(self, ids, mems):
        h = self.emb(ids)
        hiddens = []
        for layer, m in zip(self.layers, mems.layers):
            hiddens.append(h)
            h = layer(h, m)
        return self.out(h), mems.extend(hiddens, self.mem_len)
