import random

import torch


class Corpus:
    def __init__(self, n_chars, seed=0):
        rng = random.Random(seed)
        text = ""
        while len(text) < n_chars:
            a, b = rng.randint(0, 9), rng.randint(0, 9)
            text += f"{a}+{b}={a + b}\n"
        self.itos = sorted(set(text))
        self.stoi = {c: i for i, c in enumerate(self.itos)}
        self.data = torch.tensor([self.stoi[c] for c in text])

    def batches(self, bsz, bptt):
        n = len(self.data) // bsz
        d = self.data[: n * bsz].view(bsz, n).t().contiguous()
        for i in range(0, n - 1 - bptt, bptt):
            yield d[i:i + bptt], d[i + 1:i + 1 + bptt]
