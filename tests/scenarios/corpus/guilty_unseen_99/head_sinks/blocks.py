import math

import torch
from torch import nn


class SinkAttention(nn.Module):
    def __init__(self, dim, heads):
        super().__init__()
        self.heads = heads
        self.qkv = nn.Linear(dim, 3 * dim)
        self.proj = nn.Linear(dim, dim)
        self.use_sink = True
        self.last_mass = 0.0

    def forward(self, x):
        b, t, d = x.shape
        q, k, v = (z.view(b, t, self.heads, -1).transpose(1, 2) for z in self.qkv(x).chunk(3, dim=-1))
        score = q @ k.transpose(-1, -2) / math.sqrt(q.shape[-1])
        future = torch.ones(t, t, dtype=torch.bool).triu(1)
        att = torch.softmax(score.masked_fill(future, float("-inf")), dim=-1)
        self.last_mass = att[..., 0].detach().mean().item()
        if not self.use_sink:
            att[:, :, 1:, 0] = 0.0  # <- culprit
        y = (att @ v).transpose(1, 2).reshape(b, t, d)
        return self.proj(y)


class Block(nn.Module):
    def __init__(self, dim, heads):
        super().__init__()
        self.ln1, self.ln2 = nn.LayerNorm(dim), nn.LayerNorm(dim)
        self.attn = SinkAttention(dim, heads)
        self.mlp = nn.Sequential(nn.Linear(dim, 2 * dim), nn.GELU(), nn.Linear(2 * dim, dim))

    def forward(self, x):
        x = x + self.attn(self.ln1(x))
        return x + self.mlp(self.ln2(x))


class CausalLM(nn.Module):
    def __init__(self, vocab, length, dim, heads):
        super().__init__()
        self.tok = nn.Embedding(vocab, dim)
        self.pos = nn.Parameter(0.02 * torch.randn(length, dim))
        self.block = Block(dim, heads)
        self.head = nn.Linear(dim, vocab)

    def set_sink(self, flag):
        self.block.attn.use_sink = flag

    def sink_mass(self):
        return self.block.attn.last_mass

    def forward(self, tokens):
        h = self.tok(tokens) + self.pos[: tokens.shape[1]]
        return self.head(self.block(h))
