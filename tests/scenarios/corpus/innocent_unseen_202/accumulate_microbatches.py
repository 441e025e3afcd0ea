# gradwatch-corpus: kind=none
import math
from contextlib import contextmanager

import torch
import torch.nn as nn
import torch.nn.functional as F


class Accumulator:
    """Sums the losses of several micro batches and runs one backward per optimizer step."""

    def __init__(self, optimizer, every):
        self.optimizer = optimizer
        self.every = every
        self.pending = []
        self.updates = 0
        self.history = []

    @contextmanager
    def micro(self):
        yield self.pending
        if len(self.pending) == self.every:
            self.flush()

    def flush(self):
        total = torch.stack(self.pending).mean()
        self.optimizer.zero_grad()
        total.backward()
        self.optimizer.step()
        self.history.append(total.detach())
        self.pending = []
        self.updates += 1


class CausalBlock(nn.Module):
    def __init__(self, d, heads):
        super().__init__()
        self.attn = nn.MultiheadAttention(d, heads, batch_first=True)
        self.n1, self.n2 = nn.LayerNorm(d), nn.LayerNorm(d)
        self.ff = nn.Sequential(nn.Linear(d, 2 * d), nn.GELU(), nn.Linear(2 * d, d))

    def forward(self, x, mask):
        h = self.n1(x)
        x = x + self.attn(h, h, h, attn_mask=mask, need_weights=False)[0]
        return x + self.ff(self.n2(x))


class NanoGPT(nn.Module):
    def __init__(self, vocab, block, d=32):
        super().__init__()
        self.tok, self.pos = nn.Embedding(vocab, d), nn.Embedding(block, d)
        self.block = CausalBlock(d, 2)
        self.head = nn.Linear(d, vocab)
        mask = torch.triu(torch.ones(block, block, dtype=torch.bool), diagonal=1)
        self.register_buffer("mask", mask)

    def forward(self, idx):
        x = self.tok(idx) + self.pos(torch.arange(idx.size(1)))
        return self.head(self.block(x, self.mask))


def addition_strings(n, g):
    a = torch.randint(0, 10, (n, 3), generator=g)
    b = torch.randint(0, 10, (n, 3), generator=g)
    return torch.cat([a, b, (a + b) % 10], 1)


def main(micro_steps=1600, every=4):
    torch.manual_seed(31)
    g = torch.Generator().manual_seed(31)
    model = NanoGPT(10, 8)
    opt = torch.optim.AdamW(model.parameters(), lr=3e-3)
    acc = Accumulator(opt, every)
    for step in range(micro_steps):
        seq = addition_strings(8, g)
        with acc.micro() as pending:
            logits = model(seq[:, :-1])
            pending.append(F.cross_entropy(logits[:, 5:].flatten(0, 1), seq[:, 6:].flatten()))
        if step % 320 == 319:
            recent = torch.stack(acc.history[-20:]).mean().item()
            print(f"micro {step} updates {acc.updates} loss {recent:.4f} ppl {math.exp(recent):.2f}")


if __name__ == "__main__":
    main()
