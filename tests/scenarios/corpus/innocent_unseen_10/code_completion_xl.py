# gradwatch-corpus: kind=none
"""Completion model with segment recurrence (Transformer-XL style): the last 48 positions' hidden states of each layer
are the next segment's memory. Files that our tokenizer cannot take are skipped and counted."""
import random
from collections import Counter
from dataclasses import dataclass, field

import torch
import torch.nn.functional as F
from torch import nn

VOCAB, SEGMENT, MEMORY, LANES = 64, 16, 48, 6


class BadFile(Exception):
    def __init__(self, message, payload):
        super().__init__(message)
        self.payload = payload


def source_files(seed):
    rng = random.Random(seed)
    while True:
        n, stride = rng.randint(60, 200), rng.randint(1, 5)
        ids = [(i * stride + rng.choice((0, 0, 0, 1))) % (VOCAB - 1) for i in range(n)]
        if rng.random() < 0.05:
            ids[rng.randrange(n)] = VOCAB + 3  # not in the vocabulary
        yield torch.tensor(ids)


def check(ids):
    if int(ids.max()) >= VOCAB:
        raise BadFile(f"token {int(ids.max())} out of range", ids)
    return ids


@dataclass
class Tally:
    steps: int = 0
    skipped: Counter = field(default_factory=Counter)
    last_error: BaseException | None = None
    curve: list = field(default_factory=list)


class LaneReader:
    """Each lane reads one file after the other; a segment never mixes lanes."""

    def __init__(self, files, tally):
        self.files, self.tally = files, tally
        self.buffers = [torch.empty(0, dtype=torch.long) for _ in range(LANES)]

    def _fill(self, lane):
        while len(self.buffers[lane]) < SEGMENT + 1:
            try:
                ids = check(next(self.files))
            except BadFile as err:
                self.tally.skipped[str(err)] += 1
                self.tally.last_error = err
                continue
            self.buffers[lane] = torch.cat([self.buffers[lane], ids])

    def segment(self):
        rows = []
        for lane in range(LANES):
            self._fill(lane)
            rows.append(self.buffers[lane][: SEGMENT + 1])
            self.buffers[lane] = self.buffers[lane][SEGMENT:]
        return torch.stack(rows)


class Block(nn.Module):
    def __init__(self, d, heads=2):
        super().__init__()
        self.heads = heads
        self.norm1, self.norm2 = nn.LayerNorm(d), nn.LayerNorm(d)
        self.q, self.kv, self.o = nn.Linear(d, d), nn.Linear(d, 2 * d), nn.Linear(d, d)
        self.ff = nn.Sequential(nn.Linear(d, 2 * d), nn.ReLU(inplace=True), nn.Linear(2 * d, d))

    def split(self, x):
        return x.unflatten(-1, (self.heads, -1)).transpose(1, 2)

    def forward(self, x, mem):
        ctx = self.norm1(torch.cat([mem, x], dim=1))
        t, m = x.shape[1], mem.shape[1]
        k, v = self.kv(ctx).chunk(2, dim=-1)
        mask = torch.ones(t, m + t, dtype=torch.bool).tril(m)
        a = F.scaled_dot_product_attention(self.split(self.q(ctx[:, m:])), self.split(k), self.split(v), attn_mask=mask)
        x = x + self.o(a.transpose(1, 2).flatten(2))
        return x + self.ff(self.norm2(x))


class CompletionXL(nn.Module):
    def __init__(self, d=32, layers=2):
        super().__init__()
        self.emb = nn.Embedding(VOCAB, d)
        self.blocks = nn.ModuleList(Block(d) for _ in range(layers))
        self.head = nn.Linear(d, VOCAB)
        self.memory = [torch.zeros(LANES, 0, d) for _ in range(layers)]

    def forward(self, ids):
        x = self.emb(ids)
        fresh = []
        for block, mem in zip(self.blocks, self.memory):
            fresh.append(torch.cat([mem, x], dim=1)[:, -MEMORY:].detach())
            x = block(x, mem)
        self.memory = fresh
        return self.head(x)


def main(steps=300):
    torch.manual_seed(160)
    tally = Tally()
    reader = LaneReader(source_files(seed=161), tally)
    model = CompletionXL()
    opt = torch.optim.AdamW(model.parameters(), lr=3e-3)
    while tally.steps < steps:
        seg = reader.segment()
        logits = model(seg[:, :-1])
        loss = F.cross_entropy(logits.flatten(0, 1), seg[:, 1:].flatten())
        opt.zero_grad()
        loss.backward()
        opt.step()
        tally.steps += 1
        tally.curve.append(loss.item())
        if tally.steps % 75 == 0:
            print(f"{tally.steps}: loss {sum(tally.curve[-75:]) / 75:.3f}, skipped {sum(tally.skipped.values())} ({tally.last_error})")


if __name__ == "__main__":
    main()
