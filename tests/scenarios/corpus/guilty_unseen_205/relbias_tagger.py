# gradwatch-corpus: kind=second-backward
# first-bad: 4
"""Sequence tagger with T5-style relative position bias, batches bucketed by length."""
import itertools
import math

import torch
import torch.nn as nn
import torch.nn.functional as F


class RelativeBias(nn.Module):
    def __init__(self, heads, max_dist=16):
        super().__init__()
        self.table = nn.Embedding(2 * max_dist + 1, heads)
        self.scale = nn.Parameter(torch.ones(heads))
        self.max_dist = max_dist
        self._cache = {}

    def forward(self, n):
        if n not in self._cache:
            pos = torch.arange(n)
            rel = (pos[None] - pos[:, None]).clamp(-self.max_dist, self.max_dist) + self.max_dist
            bias = (self.table(rel) * self.scale).tanh().permute(2, 0, 1)
            self._cache[n] = bias  # <- culprit
        return self._cache[n]


class Block(nn.Module):
    def __init__(self, dim, heads):
        super().__init__()
        self.heads, self.dh = heads, dim // heads
        self.qkv = nn.Linear(dim, 3 * dim)
        self.out = nn.Linear(dim, dim)
        self.n1, self.n2 = nn.LayerNorm(dim), nn.LayerNorm(dim)
        self.ff = nn.Sequential(nn.Linear(dim, 2 * dim), nn.GELU(), nn.Linear(2 * dim, dim))

    def forward(self, x, bias):
        b, n, d = x.shape
        q, k, v = self.qkv(self.n1(x)).view(b, n, 3, self.heads, self.dh).permute(2, 0, 3, 1, 4)
        att = (q @ k.transpose(-1, -2) / math.sqrt(self.dh) + bias).softmax(-1)
        x = x + self.out((att @ v).transpose(1, 2).reshape(b, n, d))
        return x + self.ff(self.n2(x))


class Tagger(nn.Module):
    def __init__(self, vocab=40, tags=5, dim=32, heads=4, layers=2):
        super().__init__()
        self.emb = nn.Embedding(vocab, dim)
        self.bias = RelativeBias(heads)
        self.blocks = nn.ModuleList(Block(dim, heads) for _ in range(layers))
        self.head = nn.Linear(dim, tags)

    def forward(self, tok):
        h = self.emb(tok)
        bias = self.bias(tok.size(1))
        for blk in self.blocks:
            h = blk(h, bias)
        return self.head(h)


def bucketed_batches(lengths, batch_size, seed=8):
    g = torch.Generator().manual_seed(seed)
    for n in itertools.cycle(lengths):
        tok = torch.randint(0, 40, (batch_size, n), generator=g)
        tag = (tok + tok.roll(1, dims=1)) % 5
        yield tok, tag


def train(steps=500):
    torch.manual_seed(0)
    model = Tagger()
    opt = torch.optim.AdamW(model.parameters(), lr=3e-3)
    sched = torch.optim.lr_scheduler.LambdaLR(opt, lambda s: min(1.0, (s + 1) / 50))
    stream = bucketed_batches([8, 12, 16, 20], batch_size=16)
    avg = None
    for step, (tok, tag) in zip(range(steps), stream):
        logits = model(tok)
        loss = F.cross_entropy(logits.flatten(0, 1), tag.flatten())
        opt.zero_grad(set_to_none=True)
        loss.backward()
        nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        opt.step()
        sched.step()
        avg = loss.item() if avg is None else 0.95 * avg + 0.05 * loss.item()
        if step % 50 == 0:
            print(f"step {step} loss {avg:.4f}")


if __name__ == "__main__":
    train()
