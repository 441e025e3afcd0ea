import random

WORDS = "the cat sat on a mat and the dog ran to the red hut".split()


def synth_text(length):
    rng = random.Random(0)
    text = ""
    while len(text) < length:
        text += rng.choice(WORDS) + " "
    chars = sorted(set(text))
    return len(chars), [chars.index(c) for c in text[:length]]


class ContiguousBatches:
    def __init__(self, ids, rows, bptt):
        import torch

        n = len(ids) // rows
        self.data = torch.tensor(ids[: n * rows]).view(rows, n).t().contiguous()
        self.bptt = bptt

    def __iter__(self):
        for i in range(0, len(self.data) - self.bptt - 1, self.bptt):
            yield self.data[i:i + self.bptt], self.data[i + 1:i + 1 + self.bptt]
