import random

import torch

VERBS = ["chop", "boil", "fry", "stir"]
FOODS = ["onion", "carrot", "rice", "lentil", "egg"]
ENDS = ["slowly", "gently", "twice"]


class Corpus:
    def __init__(self, seed):
        self.rng = random.Random(seed)
        self.vocab = ["<eos>", "the", "and"] + VERBS + FOODS + ENDS
        self.index = {w: i for i, w in enumerate(self.vocab)}

    def sentence(self):
        words = [self.rng.choice(VERBS), "the", self.rng.choice(FOODS)]
        if self.rng.random() < 0.4:
            words += ["and", "the", self.rng.choice(FOODS)]
        return words + [self.rng.choice(ENDS), "<eos>"]

    def tokens(self, n):
        out = []
        while len(out) < n:
            out += [self.index[w] for w in self.sentence()]
        return torch.tensor(out[:n])


def batchify(data, bsz):
    n = data.size(0) // bsz
    return data[:n * bsz].view(bsz, n).t().contiguous()


def get_batch(source, i, bptt):
    length = min(bptt, len(source) - 1 - i)
    return source[i:i + length], source[i + 1:i + 1 + length].reshape(-1)
