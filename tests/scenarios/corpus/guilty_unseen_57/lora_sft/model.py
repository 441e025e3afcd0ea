import math

import torch
from torch import nn


class LoRALinear(nn.Module):
    def __init__(self, d_in, d_out, r=4, alpha=8):
        super().__init__()
        self.base = nn.Linear(d_in, d_out)
        self.base.requires_grad_(False)
        self.A = nn.Parameter(torch.randn(r, d_in) / math.sqrt(d_in))
        self.B = nn.Parameter(torch.zeros(d_out, r))
        self.scale = alpha / r

    def forward(self, x):
        return self.base(x) + self.scale * (x @ self.A.t()) @ self.B.t()


class Block(nn.Module):
    def __init__(self, d):
        super().__init__()
        self.norm = nn.LayerNorm(d)
        self.q, self.k, self.v, self.o = (LoRALinear(d, d) for _ in range(4))

    def forward(self, x):
        h = self.norm(x)
        att = self.q(h) @ self.k(h).transpose(1, 2) / math.sqrt(x.size(-1))
        mask = torch.ones(x.size(1), x.size(1)).triu(1).bool()
        att = att.masked_fill(mask, float("-inf")).softmax(-1)
        return x + self.o(att @ self.v(h))


class TinyLM(nn.Module):
    def __init__(self, vocab, d=32, depth=2, ctx=32):
        super().__init__()
        self.vocab = vocab
        self.tok = nn.Embedding(vocab, d)
        self.pos = nn.Embedding(ctx, d)
        self.blocks = nn.ModuleList(Block(d) for _ in range(depth))
        self.head = LoRALinear(d, vocab)
        for m in (self.tok, self.pos):
            m.requires_grad_(False)

    def forward(self, ids):
        x = self.tok(ids) + self.pos(torch.arange(ids.size(1)))
        for b in self.blocks:
            x = b(x)
        return self.head(x)


def lora_parameters(model):
    return [p for p in model.parameters() if p.requires_grad]
