import math

import torch
from torch import nn


class LoraLinear(nn.Module):
    def __init__(self, d_in, d_out, rank):
        super().__init__()
        self.base = nn.Linear(d_in, d_out, bias=False)
        self.base.weight.requires_grad_(False)
        self.lora_a = nn.Parameter(torch.randn(rank, d_in) / math.sqrt(d_in))
        self.lora_b = nn.Parameter(0.01 * torch.randn(d_out, rank))

    def forward(self, x):
        return self.base(x) + x @ self.lora_a.t() @ self.lora_b.t()


def lora_parameters(model):
    return [p for name, p in model.named_parameters() if "lora_" in name]


class Attention(nn.Module):
    def __init__(self, dim, heads, rank):
        super().__init__()
        self.heads = heads
        self.q, self.k, self.v = (LoraLinear(dim, dim, rank) for _ in range(3))
        self.o = nn.Linear(dim, dim)

    def split(self, x):
        return x.unflatten(-1, (self.heads, -1)).transpose(1, 2)

    def keys_values(self, x):
        return self.split(self.k(x)), self.split(self.v(x))

    def forward(self, x, past=None):
        q = self.split(self.q(x))
        k, v = self.keys_values(x)
        shift = 0
        if past is not None:
            shift = past[0].size(2)
            k, v = torch.cat([past[0], k], 2), torch.cat([past[1], v], 2)
        n = x.size(1)
        allowed = torch.ones(n, n + shift, dtype=torch.bool).tril(shift)
        score = (q @ k.transpose(-1, -2)) / math.sqrt(q.size(-1))
        weight = score.masked_fill(~allowed, float("-inf")).softmax(-1)
        return self.o((weight @ v).transpose(1, 2).flatten(2))


class TinyDecoder(nn.Module):
    def __init__(self, vocab, dim, heads, context, rank):
        super().__init__()
        self.tok = nn.Embedding(vocab, dim)
        self.pos = nn.Embedding(context, dim)
        self.norm = nn.LayerNorm(dim)
        self.attn = Attention(dim, heads, rank)
        self.mlp = nn.Sequential(nn.LayerNorm(dim), LoraLinear(dim, 2 * dim, rank), nn.GELU(), nn.Linear(2 * dim, dim))
        self.head = LoraLinear(dim, vocab, rank)
        for name, p in self.named_parameters():
            p.requires_grad_("lora_" in name)

    def embed(self, tokens, offset):
        return self.tok(tokens) + self.pos(torch.arange(offset, offset + tokens.size(1)))

    def prefill(self, tokens):
        return self.attn.keys_values(self.norm(self.embed(tokens, 0)))

    def forward(self, tokens, past=None):
        x = self.embed(tokens, 0 if past is None else past[0].size(2))
        x = x + self.attn(self.norm(x), past)
        return self.head(x + self.mlp(x))
