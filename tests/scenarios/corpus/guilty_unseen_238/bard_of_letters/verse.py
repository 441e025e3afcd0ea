import torch

POEM = (
    "the moth has gone to find the moon "
    "the moon has gone to find the sea "
    "the sea has hummed a little tune "
    "and sent the echo back to me "
)


class Alphabet:
    def __init__(self, text):
        self.chars = sorted(set(text))
        self.index = {c: i for i, c in enumerate(self.chars)}

    def __len__(self):
        return len(self.chars)

    def encode(self, text):
        return torch.tensor([self.index[c] for c in text])

    def decode(self, ids):
        return "".join(self.chars[i] for i in ids)


def strips(codes, length):
    pos = 0
    while True:
        if pos + length + 1 >= len(codes):
            pos = 0
        yield codes[pos : pos + length], codes[pos + 1 : pos + length + 1]
        pos += length
