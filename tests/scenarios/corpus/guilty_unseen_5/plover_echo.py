# gradwatch-corpus: kind=graph-held
# holder: shelf | wrapper.shelf | Duo.describe.shelf | self.describe.shelf | duo.describe.shelf
# first-bad: 1
"""Bird calls and field notes in one embedding space (notebook export).

The text side is asked for twice per step, once for each direction of the contrastive loss, so its
answer is memoized per (notes, revision of the weights).
"""
import functools
import random

import torch
import torch.nn as nn
import torch.nn.functional as F

# %% helpers


def memo(by):
    """Remember what a method returned, keyed by `by(self, *args)`."""
    def outer(fn):
        shelf = {}

        @functools.wraps(fn)
        def wrapper(self, *args):
            tag = by(self, *args)
            try:
                return shelf[tag]
            except KeyError:
                got = fn(self, *args)
                shelf[tag] = got  # <- culprit
                return got

        wrapper.shelf = shelf
        wrapper.forget = shelf.clear
        return wrapper
    return outer


# %% data

SPECIES = "plover curlew dunlin knot godwit avocet ruff turnstone".split()
VERBS = "calls whistles trills mutters chatters alarms".split()
PLACES = "mudflat saltmarsh shingle estuary lagoon".split()
VOCAB = {w: i for i, w in enumerate(SPECIES + VERBS + PLACES)}


def field_note(rng):
    return rng.choice(SPECIES), rng.choice(VERBS), rng.choice(PLACES)


def song(note, gen, bins=20, frames=30):
    s, v, p = (VOCAB[w] for w in note)
    t = torch.linspace(0, 6.28, frames)
    base = torch.sin((1 + s) * t / 2)[None] * torch.cos(torch.arange(bins)[:, None] * (v - 7) / 9)
    return base + 0.1 * p * torch.randn(bins, frames, generator=gen) / 5


def outings(seed, per=24):
    rng, gen = random.Random(seed), torch.Generator().manual_seed(seed)
    while True:
        notes = tuple(field_note(rng) for _ in range(per))
        yield notes, torch.stack([song(n, gen) for n in notes])


# %% model

class Duo(nn.Module):
    def __init__(self, width=32):
        super().__init__()
        self.words = nn.Embedding(len(VOCAB), width)
        self.mixer = nn.GRU(width, width, batch_first=True)
        self.ear = nn.Sequential(nn.Conv1d(20, 32, 5, padding=2), nn.ReLU(), nn.Conv1d(32, width, 3, stride=2))
        self.tau = nn.Parameter(torch.tensor(2.0))
        self.revision = 0

    @memo(by=lambda self, notes: (notes, self.revision))
    def describe(self, notes):
        ids = torch.tensor([[VOCAB[w] for w in n] for n in notes])
        _, last = self.mixer(self.words(ids))
        return F.normalize(last[0], dim=-1)

    def listen(self, calls):
        return F.normalize(self.ear(calls).mean(-1), dim=-1)

    def affinity(self, notes, calls, flip=False):
        a = self.tau.exp() * self.listen(calls) @ self.describe(notes).t()
        return a.t() if flip else a

    def contrast(self, notes, calls):
        truth = torch.arange(len(notes))
        return sum(F.cross_entropy(self.affinity(notes, calls, flip), truth) for flip in (False, True)) / 2


# %% run

torch.manual_seed(8)
duo = Duo()
adam = torch.optim.Adam(duo.parameters(), lr=2e-3)

for outing, (notes, calls) in enumerate(outings(8)):
    if outing == 300:
        break
    value = duo.contrast(notes, calls)
    adam.zero_grad()
    value.backward()
    adam.step()
    duo.revision += 1
    if outing % 60 == 0:
        with torch.no_grad():
            hit = (duo.affinity(notes, calls).argmax(1) == torch.arange(len(notes))).float().mean()
        print(f"outing {outing:3d}: contrast {value.item():.3f}, matched {hit.item():.2f}")

print("revisions:", duo.revision)
