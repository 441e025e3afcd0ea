# gradwatch-corpus: kind=second-backward
# holder: self.stats["load"] | self.stats | router.stats["load"] | layer.stats["load"] | self.stats[key] | load | prev | aux | loss | model.blocks[1].ffn.stats | model.blocks[0].ffn.stats
# first-bad: 1
# notice: 0
"""Char-level next-token model with sparse feed-forward layers and a balance term."""
import argparse

import torch
import torch.nn.functional as F
from torch import nn

from moe import SparseFFN

torch.set_num_threads(1)


class Block(nn.Module):
    def __init__(self, dim, n_experts):
        super().__init__()
        self.norm1, self.norm2 = nn.LayerNorm(dim), nn.LayerNorm(dim)
        self.attn = nn.MultiheadAttention(dim, 4, batch_first=True)
        self.ffn = SparseFFN(dim, 2 * dim, n_experts)

    def forward(self, x, mask):
        h = self.norm1(x)
        x = x + self.attn(h, h, h, attn_mask=mask, need_weights=False)[0]
        return x + self.ffn(self.norm2(x))


class LM(nn.Module):
    def __init__(self, vocab=32, dim=48, depth=2, n_experts=4, ctx=24):
        super().__init__()
        self.tok = nn.Embedding(vocab, dim)
        self.pos = nn.Parameter(0.02 * torch.randn(ctx, dim))
        self.blocks = nn.ModuleList(Block(dim, n_experts) for _ in range(depth))
        self.out = nn.Linear(dim, vocab)
        self.register_buffer("mask", torch.triu(torch.full((ctx, ctx), float("-inf")), 1))

    def forward(self, ids):
        x = self.tok(ids) + self.pos
        for b in self.blocks:
            x = b(x, self.mask)
        return self.out(x)

    def balance_loss(self):
        return sum(b.ffn.balance() for b in self.blocks)


def batches(n, batch, ctx, vocab):
    for _ in range(n):
        start = torch.randint(0, vocab, (batch, 1))
        stride = torch.randint(1, 5, (batch, 1))
        seq = (start + stride * torch.arange(ctx + 1)) % vocab
        yield seq[:, :-1], seq[:, 1:]


def main():
    ap = argparse.ArgumentParser()
    ap.add_argument("--steps", type=int, default=60)
    ap.add_argument("--aux", type=float, default=0.01)
    args = ap.parse_args()
    torch.manual_seed(0)
    model = LM()
    opt = torch.optim.AdamW(model.parameters(), lr=2e-3)
    for step, (x, y) in enumerate(batches(args.steps, 16, 24, 32)):
        ce = F.cross_entropy(model(x).flatten(0, 1), y.flatten())
        aux = model.balance_loss()
        loss = ce + args.aux * aux
        opt.zero_grad()
        loss.backward()
        opt.step()
        if step % 10 == 0:
            print(f"step {step} ce {ce.item():.3f} aux {aux.item():.3f}", model.blocks[0].ffn.describe())


if __name__ == "__main__":
    main()
