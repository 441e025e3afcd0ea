import torch
from torch import nn


class RelativeBias(nn.Module):
    def __init__(self, heads, reach=16):
        super().__init__()
        self.reach = reach
        self.table = nn.Parameter(torch.zeros(2 * reach + 1, heads))
        self._by_len = {}

    def forward(self, n):
        if n not in self._by_len:
            pos = torch.arange(n)
            rel = (pos[None] - pos[:, None]).clamp(-self.reach, self.reach) + self.reach
            self._by_len[n] = self.table[rel].permute(2, 0, 1)  # <- culprit
        return self._by_len[n]


class SelfAttention(nn.Module):
    def __init__(self, width, heads):
        super().__init__()
        self.heads = heads
        self.in_proj = nn.Linear(width, 3 * width)
        self.out_proj = nn.Linear(width, width)

    def forward(self, x, bias):
        b, n, w = x.shape
        q, k, v = (t.view(b, n, self.heads, -1).transpose(1, 2) for t in self.in_proj(x).chunk(3, -1))
        att = (q @ k.transpose(-1, -2)) * q.shape[-1] ** -0.5 + bias
        return self.out_proj((att.softmax(-1) @ v).transpose(1, 2).reshape(b, n, w))


class Tagger(nn.Module):
    def __init__(self, vocab, tags, width, heads):
        super().__init__()
        self.emb = nn.Embedding(vocab, width)
        self.relpos = RelativeBias(heads)
        self.attn = nn.ModuleList([SelfAttention(width, heads) for _ in range(2)])
        self.norms = nn.ModuleList([nn.LayerNorm(width) for _ in range(2)])
        self.out = nn.Linear(width, tags)

    def forward(self, tok):
        x = self.emb(tok)
        bias = self.relpos(tok.shape[1])
        for att, ln in zip(self.attn, self.norms):
            x = x + att(ln(x), bias)
        return self.out(x)
