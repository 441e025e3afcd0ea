# gradwatch-corpus: kind=none
"""Next-event model for machine logs; the long context is checkpointed by segments with a memory
that goes from segment to segment inside one sequence."""
import functools
import random

import torch
import torch.nn as nn
from torch.utils.checkpoint import checkpoint

VOCAB = 30
SEGMENT = 12
SEGMENTS = 4


def log_lines(n, rnd, broken=False):
    rows = []
    for _ in range(n):
        seq = [rnd.randrange(VOCAB)]
        while len(seq) <= SEGMENT * SEGMENTS:
            odd = rnd.random() < (0.3 if broken else 0.05)
            step = rnd.randrange(VOCAB) if odd else 7
            seq.append((seq[-1] + step) % VOCAB)
        rows.append(seq)
    return torch.tensor(rows)


class SegmentBlock(nn.Module):
    def __init__(self, dim=32):
        super().__init__()
        self.embed = nn.Embedding(VOCAB, dim)
        self.attn = nn.MultiheadAttention(dim, 4, batch_first=True)
        self.norm = nn.LayerNorm(dim)
        self.out = nn.Linear(dim, VOCAB)
        self.write = nn.Linear(dim, dim)

    def forward(self, tokens, memory):
        x = self.embed(tokens)
        keys = torch.cat([memory, x], dim=1)
        n = tokens.shape[1]
        mask = torch.ones(n, n, dtype=torch.bool).triu(1)
        mask = torch.cat([torch.zeros(n, memory.shape[1], dtype=torch.bool), mask], dim=1)
        y, _ = self.attn(x, keys, keys, attn_mask=mask, need_weights=False)
        y = self.norm(x + y)
        new_memory = torch.tanh(self.write(y[:, -3:]))
        return self.out(y), new_memory


@functools.lru_cache(maxsize=8)
def blank_memory(n, dim=32):
    return torch.zeros(n, 3, dim)


def surprise(block, rows):
    memory = blank_memory(rows.shape[0])
    losses = []
    for k in range(SEGMENTS):
        lo = k * SEGMENT
        part = rows[:, lo:lo + SEGMENT]
        nxt = rows[:, lo + 1:lo + SEGMENT + 1]
        if torch.is_grad_enabled():
            logits, memory = checkpoint(block, part, memory, use_reentrant=False)
        else:
            logits, memory = block(part, memory)
        ce = nn.functional.cross_entropy(logits.transpose(1, 2), nxt, reduction="none")
        losses.append(ce.mean(dim=1))
    return torch.stack(losses, dim=1).mean(dim=1)


def train():
    rnd = random.Random(7)
    torch.manual_seed(7)
    block = SegmentBlock()
    opt = torch.optim.Adam(block.parameters(), lr=4e-3)
    seen = {}
    for epoch in range(4):
        seen.clear()
        for it in range(25):
            per_row = surprise(block, log_lines(16, rnd))
            opt.zero_grad(set_to_none=True)
            per_row.mean().backward()
            opt.step()
            seen[it] = per_row.detach().clone()
        everything = torch.cat([*seen.values()])
        print(f"epoch {epoch} surprise {everything.mean():.3f} p95 {everything.quantile(0.95):.3f}")
    with torch.no_grad():
        normal = surprise(block, log_lines(64, rnd))
        broken = surprise(block, log_lines(64, rnd, broken=True))
    print(f"flagged {(broken > normal.quantile(0.95)).float().mean():.1%} of the broken machines")


train()
