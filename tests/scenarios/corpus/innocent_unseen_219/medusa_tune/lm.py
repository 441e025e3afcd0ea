import torch
import torch.nn as nn
import torch.nn.functional as F


class CachedAttention(nn.Module):
    def __init__(self, d, heads):
        super().__init__()
        self.h = heads
        self.qkv, self.o = nn.Linear(d, 3 * d), nn.Linear(d, d)

    def forward(self, x, past, window):
        B, T, D = x.shape
        q, k, v = self.qkv(x).view(B, T, 3, self.h, D // self.h).permute(2, 0, 3, 1, 4)
        if past is not None:
            k, v = torch.cat([past[0], k], 2), torch.cat([past[1], v], 2)
        S = k.shape[2]
        mask = torch.ones(T, S, dtype=torch.bool).tril(S - T)
        y = F.scaled_dot_product_attention(q, k, v, attn_mask=mask)
        present = (k[:, :, -window:].detach(), v[:, :, -window:].detach())
        return self.o(y.transpose(1, 2).reshape(B, T, D)), present


class Backbone(nn.Module):
    def __init__(self, vocab=40, d=32, depth=2, heads=4):
        super().__init__()
        self.tok = nn.Embedding(vocab, d)
        self.norms = nn.ModuleList(nn.LayerNorm(d) for _ in range(depth))
        self.atts = nn.ModuleList(CachedAttention(d, heads) for _ in range(depth))
        self.ffs = nn.ModuleList(nn.Sequential(nn.LayerNorm(d), nn.Linear(d, 2 * d), nn.GELU(), nn.Linear(2 * d, d)) for _ in range(depth))
        self.lm_head = nn.Linear(d, vocab)

    def forward(self, ids, past=None, window=24):
        x = self.tok(ids)
        past = past or [None] * len(self.atts)
        present = []
        for norm, att, ff, p in zip(self.norms, self.atts, self.ffs, past):
            y, kv = att(norm(x), p, window)
            x = x + y
            x = x + ff(x)
            present.append(kv)
        return x, present


class MedusaHeads(nn.Module):
    def __init__(self, d, vocab, n=3):
        super().__init__()
        self.heads = nn.ModuleList(nn.Sequential(nn.Linear(d, d), nn.SiLU(), nn.Linear(d, vocab)) for _ in range(n))

    def forward(self, h):
        return [head(h) for head in self.heads]
