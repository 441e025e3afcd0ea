# gradwatch-corpus: kind=none
"""Codon optimisation model with activation checkpointing and accumulated micro-batches."""
import argparse
import contextlib

import torch
import torch.nn as nn
import torch.nn.functional as F
from torch.utils.checkpoint import checkpoint


class Block(nn.Module):
    def __init__(self, dim):
        super().__init__()
        self.n1, self.n2 = nn.LayerNorm(dim), nn.LayerNorm(dim)
        self.qkv = nn.Linear(dim, 3 * dim)
        self.ff = nn.Sequential(nn.Linear(dim, 2 * dim), nn.GELU(), nn.Linear(2 * dim, dim))

    def forward(self, x):
        q, k, v = self.qkv(self.n1(x)).chunk(3, -1)
        x = x + F.scaled_dot_product_attention(q, k, v, is_causal=True)
        return x + self.ff(self.n2(x))


class CodonModel(nn.Module):
    def __init__(self, codons, dim, depth):
        super().__init__()
        self.embed = nn.Embedding(codons, dim)
        self.blocks = nn.ModuleList(Block(dim) for _ in range(depth))
        self.head = nn.Linear(dim, codons)

    def forward(self, tokens):
        x = self.embed(tokens)
        for i, block in enumerate(self.blocks):
            # the lower half with the old implementation, the upper half with the new one
            x = checkpoint(block, x, use_reentrant=i < len(self.blocks) // 2)
        return self.head(x)


def genes(n, length, codons):
    start = torch.randint(codons, (n, 1))
    stride = torch.randint(1, 4, (n, 1))
    seq = (start + stride * torch.arange(length + 1)) % codons
    noise = torch.rand(seq.shape) < 0.05
    return torch.where(noise, torch.randint(codons, seq.shape), seq)


def main():
    ap = argparse.ArgumentParser()
    ap.add_argument("--steps", type=int, default=80)
    ap.add_argument("--micro", type=int, default=3)
    ap.add_argument("--codons", type=int, default=61)
    ap.add_argument("--max-length", type=int, default=40)
    a = ap.parse_args()

    torch.manual_seed(3)
    model = CodonModel(a.codons, dim=24, depth=4)
    opt = torch.optim.AdamW(model.parameters(), lr=2e-3)
    ema = None
    for step in range(a.steps):
        opt.zero_grad()
        shown = 0.0
        for _ in range(a.micro):
            length = int(torch.randint(8, a.max_length, ()))
            seq = genes(6, length, a.codons)
            logits = model(seq[:, :-1])
            loss = F.cross_entropy(logits.flatten(0, 1), seq[:, 1:].flatten()) / a.micro
            loss.backward()
            shown += loss.item()
        nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        opt.step()
        ema = shown if ema is None else 0.9 * ema + 0.1 * shown
        if step % 20 == 0:
            with torch.no_grad(), contextlib.nullcontext():
                probe = model(genes(4, 20, a.codons)[:, :-1])
            print(f"step {step} loss {ema:.3f} entropy {torch.distributions.Categorical(logits=probe).entropy().mean():.3f}")


if __name__ == "__main__":
    main()
