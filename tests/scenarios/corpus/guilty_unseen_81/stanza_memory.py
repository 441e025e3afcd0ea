# gradwatch-corpus: kind=inplace-modified
# holder: self.slots | memory.slots | self.memory.slots | poet.memory.slots | slots | total | loss
# first-bad: 0
# notice: 0
"""Poem writer that remembers the lines already written in the stanza (motif memory)."""
import random

import torch
from torch import nn
from torch.nn import functional as F

MODULES = {}


def module(cls):
    MODULES[cls.__name__.lower()] = cls
    return cls


def make(spec):
    name, kwargs = spec["type"], {k: v for k, v in spec.items() if k != "type"}
    return MODULES[name](**kwargs)


@module
class Bigram(nn.Module):
    """A bag of the line so far, mixed with the last word."""

    def __init__(self, vocab, dim):
        super().__init__()
        self.emb = nn.Embedding(vocab, dim)
        self.mix = nn.Linear(2 * dim, dim)

    def forward(self, line):
        e = self.emb(line)
        steps = torch.arange(1, line.shape[1] + 1).view(1, -1, 1)
        return torch.tanh(self.mix(torch.cat([e, e.cumsum(1) / steps], -1)))


@module
class Motifs(nn.Module):
    """Ring of the last few line summaries; read by attention, written once per line."""

    def __init__(self, dim, n_slots=3, batch=16):
        super().__init__()
        self.query = nn.Linear(dim, dim, bias=False)
        self.register_buffer("slots", torch.zeros(batch, n_slots, dim), persistent=False)
        self.cursor = 0

    def reset(self):
        self.slots = torch.zeros_like(self.slots)
        self.cursor = 0

    def read(self, h):
        q = self.query(h)
        att = (q @ self.slots.mT / q.shape[-1] ** 0.5).softmax(-1)
        return att @ self.slots

    def write(self, h):
        summary = h.detach().mean(1)
        self.slots[:, self.cursor] = summary  # <- culprit
        self.cursor = (self.cursor + 1) % self.slots.shape[1]


@module
class Poet(nn.Module):
    def __init__(self, vocab, dim, encoder, memory):
        super().__init__()
        self.encoder = make({**encoder, "vocab": vocab, "dim": dim})
        self.memory = make({**memory, "dim": dim})
        self.out = nn.Linear(2 * dim, vocab)

    def forward(self, line):
        h = self.encoder(line)
        recalled = self.memory.read(h)
        self.memory.write(h)
        return self.out(torch.cat([h, recalled], -1))


SPEC = {
    "type": "poet", "vocab": 30, "dim": 24,
    "encoder": {"type": "bigram"},
    "memory": {"type": "motifs", "n_slots": 3, "batch": 16},
}


class Stanzas:
    """Word ids; the rhyme (last id) of lines 2 and 4 repeats that of lines 1 and 3."""

    def __init__(self, seed, vocab=30, words=7, lines=4):
        self.rng = random.Random(seed)
        self.vocab, self.words, self.lines = vocab, words, lines

    def stanza(self):
        rhyme, out = None, []
        for i in range(self.lines):
            if i % 2 == 0:
                rhyme = self.rng.randrange(self.vocab - 10, self.vocab)
            start = self.rng.randrange(self.vocab)
            out.append([(start + 3 * j) % self.vocab for j in range(self.words - 1)] + [rhyme])
        return out

    def batch(self, n):
        block = torch.tensor([self.stanza() for _ in range(n)])
        return list(block.unbind(1))


def stanza_loss(poet, lines):
    poet.memory.reset()
    total, rhymes = 0.0, 0.0
    for line in lines:
        logits = poet(line[:, :-1])
        total = total + F.cross_entropy(logits.flatten(0, 1), line[:, 1:].flatten())
        rhymes += (logits[:, -1].argmax(-1) == line[:, -1]).float().mean().item()
    return total / len(lines), rhymes / len(lines)


def main():
    torch.set_num_threads(1)
    torch.manual_seed(33)
    poet = make(SPEC)
    opt = torch.optim.Adam(poet.parameters(), lr=4e-3)
    source = Stanzas(seed=2)
    for k in range(120):
        loss, rhyme = stanza_loss(poet, source.batch(16))
        opt.zero_grad()
        loss.backward()
        opt.step()
        if k % 20 == 0:
            print(f"{k:3d} loss {loss.item():.3f} rhyme {rhyme:.2f}")


if __name__ == "__main__":
    main()
