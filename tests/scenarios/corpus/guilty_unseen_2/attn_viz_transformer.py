# gradwatch-corpus: kind=graph-held
# holder: self.maps | blk.attn.maps | self.attn.maps | attn.maps | model.blocks[0].attn.maps | model.blocks[1].attn.maps
# first-bad: 1
"""Toy sequence-reversal transformer whose attention can be plotted later."""
import math

import torch
import torch.nn as nn


class SelfAttention(nn.Module):
    def __init__(self, dim, heads):
        super().__init__()
        assert dim % heads == 0
        self.h, self.dk = heads, dim // heads
        self.qkv = nn.Linear(dim, dim * 3)
        self.out = nn.Linear(dim, dim)
        self.maps = []

    def forward(self, x):
        b, t, d = x.shape
        q, k, v = (u.view(b, t, self.h, self.dk).transpose(1, 2) for u in self.qkv(x).chunk(3, -1))
        scores = q @ k.transpose(-2, -1) / math.sqrt(self.dk)
        w = scores.softmax(-1)
        if self.training:
            self.maps.append(w)  # <- culprit
        y = (w @ v).transpose(1, 2).reshape(b, t, d)
        return self.out(y)


class Block(nn.Module):
    def __init__(self, dim, heads):
        super().__init__()
        self.n1, self.n2 = nn.LayerNorm(dim), nn.LayerNorm(dim)
        self.attn = SelfAttention(dim, heads)
        self.ff = nn.Sequential(nn.Linear(dim, 2 * dim), nn.GELU(), nn.Linear(2 * dim, dim))

    def forward(self, x):
        x = x + self.attn(self.n1(x))
        return x + self.ff(self.n2(x))


class Reverser(nn.Module):
    def __init__(self, vocab=20, dim=32, depth=2, max_len=16):
        super().__init__()
        self.tok = nn.Embedding(vocab, dim)
        self.pos = nn.Parameter(torch.zeros(max_len, dim))
        self.blocks = nn.ModuleList(Block(dim, 4) for _ in range(depth))
        self.head = nn.Linear(dim, vocab)

    def forward(self, ids):
        x = self.tok(ids) + self.pos[: ids.size(1)]
        for blk in self.blocks:
            x = blk(x)
        return self.head(x)


if __name__ == "__main__":
    torch.manual_seed(3)
    model = Reverser()
    optim = torch.optim.Adam(model.parameters(), lr=2e-3)
    ce = nn.CrossEntropyLoss()
    for it in range(150):
        ids = torch.randint(0, 20, (16, 12))
        logits = model(ids)
        loss = ce(logits.flatten(0, 1), ids.flip(1).flatten())
        optim.zero_grad()
        loss.backward()
        nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        optim.step()
        if it % 30 == 0:
            entropy = [-(m * m.clamp_min(1e-9).log()).sum(-1).mean().item() for m in (b.attn.maps[-1] for b in model.blocks)]
            print(it, round(loss.item(), 4), ["%.3f" % e for e in entropy])
