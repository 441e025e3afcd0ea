# gradwatch-corpus: kind=inplace-modified
# first-bad: 0
"""Token-by-token attention model trained on a copy task with a preallocated cache."""
from __future__ import annotations

import math

import torch
import torch.nn as nn
import torch.nn.functional as F

VOCAB, LENGTH, DIM = 12, 10, 32


class Cache:
    def __init__(self, batch: int, length: int, dim: int):
        self.k = torch.zeros(batch, length, dim)
        self.v = torch.zeros(batch, length, dim)
        self.pos = 0

    def append(self, k: torch.Tensor, v: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
        self.k[:, self.pos] = k  # <- culprit
        self.v[:, self.pos] = v  # <- culprit
        self.pos += 1
        return self.k[:, : self.pos], self.v[:, : self.pos]


class RecurrentAttention(nn.Module):
    def __init__(self, dim: int):
        super().__init__()
        self.norm = nn.LayerNorm(dim)
        self.qkv = nn.Linear(dim, 3 * dim)
        self.proj = nn.Linear(dim, dim)

    def forward(self, x: torch.Tensor, cache: Cache) -> torch.Tensor:
        q, k, v = self.qkv(self.norm(x)).chunk(3, -1)
        keys, values = cache.append(k, v)
        att = torch.einsum("bd,btd->bt", q, keys) / math.sqrt(q.shape[-1])
        mixed = torch.einsum("bt,btd->bd", att.softmax(-1), values)
        return x + self.proj(mixed)


class CopyModel(nn.Module):
    def __init__(self):
        super().__init__()
        self.tok = nn.Embedding(VOCAB, DIM)
        self.pos = nn.Parameter(0.02 * torch.randn(2 * LENGTH, DIM))
        self.attn = RecurrentAttention(DIM)
        self.ff = nn.Sequential(nn.LayerNorm(DIM), nn.Linear(DIM, 64), nn.GELU(), nn.Linear(64, DIM))
        self.head = nn.Linear(DIM, VOCAB)

    def forward(self, tokens: torch.Tensor) -> torch.Tensor:
        batch, steps = tokens.shape
        cache = Cache(batch, steps, DIM)
        outputs = []
        for t in range(steps):
            h = self.tok(tokens[:, t]) + self.pos[t]
            h = self.attn(h, cache)
            outputs.append(self.head(h + self.ff(h)))
        return torch.stack(outputs, 1)


def copy_batch(n: int, gen: torch.Generator) -> torch.Tensor:
    half = torch.randint(1, VOCAB, (n, LENGTH), generator=gen)
    return torch.cat([half, half], 1)


def main() -> None:
    torch.manual_seed(7)
    gen = torch.Generator().manual_seed(70)
    model = CopyModel()
    opt = torch.optim.AdamW(model.parameters(), lr=3e-3, weight_decay=0.01)
    sched = torch.optim.lr_scheduler.OneCycleLR(opt, max_lr=3e-3, total_steps=400)
    for step in range(400):
        seq = copy_batch(16, gen)
        logits = model(seq[:, :-1])
        loss = F.cross_entropy(logits[:, LENGTH - 1 :].flatten(0, 1), seq[:, LENGTH:].flatten())
        opt.zero_grad()
        loss.backward()
        opt.step()
        sched.step()
        if step % 50 == 0:
            print(f"step {step} loss {loss.item():.3f}")


if __name__ == "__main__":
    main()
