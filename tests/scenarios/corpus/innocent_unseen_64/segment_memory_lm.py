# gradwatch-corpus: kind=none
"""Transformer-XL flavoured language model on a noisy periodic token stream."""
import argparse
from collections import deque
from dataclasses import dataclass

import torch
import torch.nn as nn
import torch.nn.functional as F


@dataclass
class Config:
    vocab: int = 16
    dim: int = 24
    heads: int = 2
    layers: int = 2
    seg: int = 8
    segments: int = 3
    batch: int = 8
    iters: int = 160


class SegmentMemory:
    """The hidden states of the last few segments, per layer; oldest out first."""

    def __init__(self, layers, segments):
        self.store = [deque(maxlen=segments) for _ in range(layers)]

    def recall(self, layer):
        return list(self.store[layer])

    def remember(self, states):
        for queue, state in zip(self.store, states):
            queue.append(state.detach())


class Block(nn.Module):
    def __init__(self, cfg):
        super().__init__()
        self.att = nn.MultiheadAttention(cfg.dim, cfg.heads, batch_first=True)
        self.ff = nn.Sequential(nn.Linear(cfg.dim, 2 * cfg.dim), nn.GELU(), nn.Linear(2 * cfg.dim, cfg.dim))
        self.n1, self.n2 = nn.LayerNorm(cfg.dim), nn.LayerNorm(cfg.dim)

    def forward(self, x, past):
        ctx = torch.cat([*past, x], dim=1)
        t, total = x.shape[1], ctx.shape[1]
        mask = torch.ones(t, total, dtype=torch.bool).triu(total - t + 1)
        a, _ = self.att(self.n1(x), self.n1(ctx), self.n1(ctx), attn_mask=mask, need_weights=False)
        x = x + a
        return x + self.ff(self.n2(x))


class XL(nn.Module):
    def __init__(self, cfg):
        super().__init__()
        self.emb = nn.Embedding(cfg.vocab, cfg.dim)
        self.pos = nn.Parameter(0.02 * torch.randn(cfg.seg, cfg.dim))
        self.blocks = nn.ModuleList(Block(cfg) for _ in range(cfg.layers))
        self.out = nn.Linear(cfg.dim, cfg.vocab)
        self.memory = SegmentMemory(cfg.layers, cfg.segments)
        self.last_states = None

    def forward(self, tokens):
        x = self.emb(tokens) + self.pos
        self.last_states = []
        for i, block in enumerate(self.blocks):
            self.last_states.append(x)
            x = block(x, self.memory.recall(i))
        return self.out(x)

    def commit(self):
        self.memory.remember(self.last_states)


def stream(cfg, g):
    base = torch.randint(0, cfg.vocab, (cfg.batch, 11), generator=g)
    pos = 0
    while True:
        idx = (pos + torch.arange(cfg.seg + 1)) % 11
        noise = torch.rand(cfg.batch, cfg.seg + 1, generator=g) < 0.03
        tok = torch.where(noise, torch.zeros((), dtype=torch.long), base[:, idx])
        yield tok[:, :-1], tok[:, 1:]
        pos += cfg.seg


def main():
    ap = argparse.ArgumentParser()
    ap.add_argument("--iters", type=int, default=Config.iters)
    cfg = Config(iters=ap.parse_args().iters)
    torch.set_num_threads(1)
    torch.manual_seed(0)
    model = XL(cfg)
    opt = torch.optim.AdamW(model.parameters(), lr=3e-3)
    data = stream(cfg, torch.Generator().manual_seed(1))
    losses = []
    for it in range(cfg.iters):
        x, y = next(data)
        loss = F.cross_entropy(model(x).flatten(0, 1), y.flatten())
        opt.zero_grad()
        loss.backward()
        opt.step()
        model.commit()
        losses.append(loss.item())
        if it % 40 == 0:
            print(f"{it:4d} loss {loss.item():.3f} memory {sum(len(q) for q in model.memory.store)}")
    print("final", round(sum(losses[-10:]) / 10, 3))


if __name__ == "__main__":
    main()
