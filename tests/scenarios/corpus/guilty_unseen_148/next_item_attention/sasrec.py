import math

import torch
from torch import nn


class Attention(nn.Module):
    def __init__(self, dim):
        super().__init__()
        self.qkv = nn.Linear(dim, 3 * dim)
        self.out = nn.Linear(dim, dim)

    def weights(self, q, k, pad):
        causal = torch.ones(q.size(1), q.size(1)).triu(1).bool()
        scores = (q @ k.transpose(1, 2) / math.sqrt(q.size(-1))).masked_fill(causal, float("-inf"))
        attn = torch.softmax(scores, -1)
        if pad.any():
            attn.masked_fill_(pad[:, None, :], 0.0)  # <- culprit
        return attn

    def forward(self, x, pad):
        q, k, v = self.qkv(x).chunk(3, -1)
        return self.out(self.weights(q, k, pad) @ v)


class SASRec(nn.Module):
    def __init__(self, vocab, max_len, dim):
        super().__init__()
        self.items = nn.Embedding(vocab, dim, padding_idx=0)
        self.pos = nn.Embedding(max_len, dim)
        self.norm1, self.norm2 = nn.LayerNorm(dim), nn.LayerNorm(dim)
        self.attn = Attention(dim)
        self.ff = nn.Sequential(nn.Linear(dim, dim), nn.GELU(), nn.Linear(dim, dim))

    def forward(self, seq):
        pad = seq == 0
        x = self.items(seq) + self.pos.weight[: seq.size(1)]
        x = x + self.attn(self.norm1(x), pad)
        x = x + self.ff(self.norm2(x))
        return x[:, -1] @ self.items.weight.t()
