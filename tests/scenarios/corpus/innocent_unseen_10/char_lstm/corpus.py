"""Sentences of a toy grammar, and their chunks."""
import random

import torch


class Corpus:
    NOUNS = ["the cat", "a dog", "my thesis", "the advisor", "this proof"]
    VERBS = ["sees", "eats", "ignores", "rewrites"]
    TAILS = ["", " again", " at night", " without reason"]

    def __init__(self, seed, sentences):
        rng = random.Random(seed)
        text = "".join(f"{rng.choice(self.NOUNS)} {rng.choice(self.VERBS)} {rng.choice(self.NOUNS)}"
                       f"{rng.choice(self.TAILS)}. " for _ in range(sentences))
        self.chars = sorted(set(text))
        index = {c: i for i, c in enumerate(self.chars)}
        ids = torch.tensor([index[c] for c in text])
        cut = int(len(ids) * 0.9)
        self.parts = {"train": ids[:cut], "valid": ids[cut:]}

    def chunks(self, part, batch, bptt, forever=False):
        ids = self.parts[part]
        n = len(ids) // batch
        table = ids[: n * batch].view(batch, n).t().contiguous()
        while True:
            for i in range(0, n - 1 - bptt, bptt):
                yield table[i:i + bptt], table[i + 1:i + 1 + bptt]
            if not forever:
                return
