# gradwatch-corpus: kind=graph-chain
# holder: self.memory | model.memory | model.memory.slots | self.memory.slots | self.slots
# first-bad: 1
"""Char-level LM with a recurrent segment memory and old-style SGD."""
import torch
import torch.nn.functional as F
from torch import nn

TEXT = ("it was a bright cold day in april and the clocks were striking thirteen "
        "call me ishmael some years ago never mind how long precisely ") * 40
CHARS = sorted(set(TEXT))
STOI = {c: i for i, c in enumerate(CHARS)}


def batchify(text, bsz):
    ids = torch.tensor([STOI[c] for c in text])
    n = len(ids) // bsz
    return ids[: n * bsz].view(bsz, n)


def segments(data, length):
    while True:
        for s in range(0, data.shape[1] - length - 1, length):
            yield data[:, s:s + length], data[:, s + 1:s + length + 1]


class SegmentMemory:
    """A small set of slots refreshed at the end of each segment."""

    def __init__(self, n_slots):
        self.n_slots = n_slots
        self.slots = None

    def read(self, like):
        if self.slots is None:
            self.slots = like.new_zeros(like.shape[0], self.n_slots, like.shape[-1])
        return self.slots

    def write(self, summary, gate):
        fresh = summary[:, -self.n_slots:]
        self.slots = gate * self.slots + (1 - gate) * fresh  # <- culprit


class MemoryLM(nn.Module):
    def __init__(self, vocab, dim=24, n_slots=4):
        super().__init__()
        self.emb = nn.Embedding(vocab, dim)
        self.q, self.k, self.v = (nn.Linear(dim, dim, bias=False) for _ in range(3))
        self.ff = nn.Sequential(nn.Linear(dim, 2 * dim), nn.Tanh(), nn.Linear(2 * dim, dim))
        self.out = nn.Linear(dim, vocab)
        self.memory = SegmentMemory(n_slots)
        self.gate = 0.5

    def attend(self, h):
        mem = self.memory.read(h)
        ctx = torch.cat([mem, h], 1)
        scores = self.q(h) @ self.k(ctx).transpose(1, 2) / h.shape[-1] ** 0.5
        t, m = h.shape[1], mem.shape[1]
        mask = torch.ones(t, t + m, dtype=torch.bool).triu(m + 1)
        return scores.masked_fill(mask, -1e9).softmax(-1) @ self.v(ctx)

    def forward(self, x):
        e = self.emb(x)
        h = e + self.attend(e)
        h = torch.tanh(h + self.ff(h))
        self.memory.write(e, self.gate)
        return self.out(h)


def sgd(params, lr):
    for p in params:
        p.data.add_(p.grad, alpha=-lr)


def train(steps=420, lr=0.2, clip=0.5, seg=8):
    torch.manual_seed(1111)
    model = MemoryLM(len(CHARS))
    feed = segments(batchify(TEXT, 8), seg)
    total = 0.0
    for step in range(1, steps + 1):
        x, y = next(feed)
        model.zero_grad()
        logits = model(x)
        loss = F.cross_entropy(logits.flatten(0, 1), y.flatten())
        loss.backward(retain_graph=True)
        nn.utils.clip_grad_norm_(model.parameters(), clip)
        sgd(model.parameters(), lr)
        total += loss.item()
        if step % 70 == 0:
            print(f"step {step} | loss {total / 70:.3f}", flush=True)
            total = 0.0


if __name__ == "__main__":
    train()
