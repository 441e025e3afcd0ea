# gradwatch-corpus: kind=inplace-modified
# holder: self.k | self.v | cache.k | cache.v | cache
# first-bad: 60
"""Melody model: a one-block transformer decoder. Teacher forcing first, then scheduled sampling, where
the decoder is rolled out token by token with a key/value cache and trained through its own rollout."""
import math
from dataclasses import dataclass

import torch
import torch.nn as nn
import torch.nn.functional as F

PITCHES = 16


@dataclass
class Hyper:
    d: int = 32
    heads: int = 4
    length: int = 10
    batch: int = 12
    steps: int = 240
    sampling_from: int = 60
    lr: float = 2e-3


class KVCache:
    """Preallocated, so that no step has to concatenate."""

    def __init__(self, batch, heads, length, d_head):
        self.k = torch.zeros(batch, heads, length, d_head)
        self.v = torch.zeros(batch, heads, length, d_head)
        self.filled = 0

    def extend(self, k, v):
        n = k.shape[2]
        self.k[:, :, self.filled:self.filled + n] = k  # <- culprit
        self.v[:, :, self.filled:self.filled + n] = v  # <- culprit
        self.filled += n
        return self.k[:, :, :self.filled], self.v[:, :, :self.filled]


class Block(nn.Module):
    def __init__(self, d, heads):
        super().__init__()
        self.heads = heads
        self.qkv = nn.Linear(d, 3 * d)
        self.proj = nn.Linear(d, d)
        self.ln1, self.ln2 = nn.LayerNorm(d), nn.LayerNorm(d)
        self.mlp = nn.Sequential(nn.Linear(d, 2 * d), nn.GELU(), nn.Linear(2 * d, d))

    def split(self, t):
        b, n, d = t.shape
        return t.view(b, n, self.heads, d // self.heads).transpose(1, 2)

    def forward(self, x, cache=None):
        q, k, v = map(self.split, self.qkv(self.ln1(x)).chunk(3, dim=-1))
        if cache is not None:
            k, v = cache.extend(k, v)
        att = q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1])
        if cache is None:
            n = x.shape[1]
            att = att.masked_fill(torch.ones(n, n, dtype=torch.bool).triu(1), -torch.inf)
        y = (att.softmax(-1) @ v).transpose(1, 2).flatten(2)
        x = x + self.proj(y)
        return x + self.mlp(self.ln2(x))


class Melody(nn.Module):
    def __init__(self, hp):
        super().__init__()
        self.hp = hp
        self.tok = nn.Embedding(PITCHES, hp.d)
        self.pos = nn.Parameter(0.02 * torch.randn(hp.length, hp.d))
        self.block = Block(hp.d, hp.heads)
        self.out = nn.Linear(hp.d, PITCHES)

    def forward(self, tokens):
        return self.out(self.block(self.tok(tokens) + self.pos[:tokens.shape[1]]))

    def rollout(self, tokens, keep):
        cache = KVCache(len(tokens), self.hp.heads, self.hp.length, self.hp.d // self.hp.heads)
        current, logits = tokens[:, 0], []
        for t in range(tokens.shape[1]):
            x = self.tok(current).unsqueeze(1) + self.pos[t]
            step = self.out(self.block(x, cache)).squeeze(1)
            logits.append(step)
            if t + 1 < tokens.shape[1]:
                own = step.argmax(-1)
                gold = tokens[:, t + 1]
                current = torch.where(torch.rand(len(tokens)) < keep, gold, own)
        return torch.stack(logits, dim=1)


def melodies(hp, gen):
    while True:
        start = torch.randint(0, PITCHES, (hp.batch, 1), generator=gen)
        moves = torch.tensor([2, 2, -1, 3, -4, 2, 2, -1, 3, -4])[:hp.length].expand(hp.batch, -1)
        jitter = (torch.rand(hp.batch, hp.length, generator=gen) < 0.05).long()
        yield torch.cat([start, (start + (moves + jitter).cumsum(1)) % PITCHES], dim=1)


def main():
    hp = Hyper()
    torch.manual_seed(440)
    model = Melody(hp)
    opt = torch.optim.AdamW(model.parameters(), lr=hp.lr)
    data = melodies(hp, torch.Generator().manual_seed(440))
    for it in range(hp.steps):
        seq = next(data)
        inp, tgt = seq[:, :-1], seq[:, 1:]
        if it < hp.sampling_from:
            logits = model(inp)
        else:
            keep = max(0.5, 1 - (it - hp.sampling_from) / hp.steps)
            logits = model.rollout(inp, keep)
        loss = F.cross_entropy(logits.flatten(0, 1), tgt.flatten())
        opt.zero_grad()
        loss.backward()
        opt.step()
        if it % 20 == 0:
            print(f"{it:4d} {loss.item():.4f}")


if __name__ == "__main__":
    main()
