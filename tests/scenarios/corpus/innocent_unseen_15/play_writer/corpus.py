import random

import torch

ROLES = ["ANNA", "BORIS", "CHOIR"]
LINES = ["where is the {n}?", "the {n} is {a}.", "never speak of the {n} again.",
         "i saw a {a} {n} at night.", "and yet the {n} remains."]
NOUNS = ["crown", "garden", "wolf", "letter", "storm"]
ADJ = ["broken", "golden", "quiet", "lost"]


class Script:
    def __init__(self, seed, lines=500):
        rng = random.Random(seed)
        parts = []
        for _ in range(lines):
            text = rng.choice(LINES).format(n=rng.choice(NOUNS), a=rng.choice(ADJ))
            parts.append(f"\n{rng.choice(ROLES)}: {text}")
        self.text = "".join(parts)
        self.alphabet = sorted(set(self.text))
        self.index = {c: i for i, c in enumerate(self.alphabet)}

    def encode(self, text):
        return torch.tensor([self.index[c] for c in text])

    def encoded(self):
        return self.encode(self.text)

    def decode(self, ids):
        return "".join(self.alphabet[i] for i in ids.tolist())


class Streams:
    """Endless (x, y, fresh); fresh marks the first segment of a pass."""

    def __init__(self, ids, rows, length):
        n = len(ids) // rows
        self.grid = ids[: n * rows].view(rows, n)
        self.length = length

    def __iter__(self):
        while True:
            for k in range(0, self.grid.shape[1] - self.length - 1, self.length):
                yield (self.grid[:, k:k + self.length], self.grid[:, k + 1:k + self.length + 1], k == 0)
