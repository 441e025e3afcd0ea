import random

import torch


class Corpus:
    def __init__(self, seed=9):
        rnd = random.Random(seed)
        names = ["mira", "tobi", "ana", "karl"]
        verbs = ["sees", "likes", "calls"]
        text = ""
        while len(text) < 9500:
            a, b = rnd.choice(names), rnd.choice(names)
            text += f"{a} {rnd.choice(verbs)} {b} and {a} waits. "
        self.vocab = sorted(set(text))
        ids = torch.tensor([self.vocab.index(ch) for ch in text])
        self.train, self.valid = ids[:8000], ids[8000:]
        self.ntokens = len(self.vocab)


def batchify(data, bsz):
    n = data.size(0) // bsz
    return data[: n * bsz].view(bsz, -1).t().contiguous()
