import random

import torch


class Corpus:
    VERBS = ["mix", "boil", "chop", "stir", "bake"]
    FOOD = ["egg", "rice", "leek", "salt", "milk", "bean"]

    def __init__(self, n_recipes, batch_size):
        rng = random.Random(1)
        text = " ".join(f"{rng.choice(self.VERBS)} {rng.choice(self.FOOD)} and {rng.choice(self.FOOD)}."
                        for _ in range(n_recipes))
        self.vocab = sorted(set(text))
        self.stoi = {c: i for i, c in enumerate(self.vocab)}
        ids = torch.tensor(self.encode(text))
        cut = int(0.9 * len(ids))
        self.train = self.fold(ids[:cut], batch_size)
        self.valid = self.fold(ids[cut:], batch_size)

    def encode(self, s):
        return [self.stoi[c] for c in s]

    def decode(self, ids):
        return "".join(self.vocab[i] for i in ids)

    @staticmethod
    def fold(ids, b):
        n = len(ids) // b
        return ids[: n * b].view(b, n)

    @staticmethod
    def windows(data, bptt):
        for i in range(0, data.size(1) - 1, bptt):
            j = min(i + bptt, data.size(1) - 1)
            yield data[:, i:j], data[:, i + 1:j + 1]
