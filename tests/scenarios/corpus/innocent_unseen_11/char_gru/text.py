import random

import torch


class Tale:
    WHO = ["the fox", "a king", "the old witch", "his daughter", "a miller"]
    DID = ["found", "lost", "asked for", "hid", "sold"]
    WHAT = ["a ring", "the golden goose", "three wishes", "an apple", "the key"]

    def __init__(self, sentences, seed):
        rng = random.Random(seed)
        parts = [f"{rng.choice(self.WHO)} {rng.choice(self.DID)} {rng.choice(self.WHAT)}." for _ in range(sentences)]
        self.text = " ".join(parts)
        self.letters = sorted(set(self.text))
        self.vocab = len(self.letters)

    def encoded(self):
        index = {c: i for i, c in enumerate(self.letters)}
        return torch.tensor([index[c] for c in self.text])

    def decode(self, ids):
        return "".join(self.letters[i] for i in ids)


def tracks(ids, batch, width):
    length = (len(ids) - 1) // batch
    grid = ids[: length * batch].view(batch, length).t()
    for start in range(0, length - width, width):
        yield grid[start:start + width + 1]
