import random

import torch


def document(rng, vocab=30):
    n = rng.randint(12, 60)
    stride, at = rng.randint(1, 5), rng.randrange(vocab)
    out = []
    for _ in range(n):
        out.append(at)
        at = (at + stride) % vocab if rng.random() < 0.95 else rng.randrange(vocab)
    return out


def pack(rng, length):
    tokens, segments, n = [], [], 0
    while len(tokens) < length:
        doc = document(rng)[: length - len(tokens)]
        tokens += doc
        segments += [n] * len(doc)
        n += 1
    return tokens, segments


def packed_batches(batch, length, seed=0):
    rng = random.Random(seed)
    while True:
        rows = [pack(rng, length) for _ in range(batch)]
        tokens, segments = zip(*rows)
        yield torch.tensor(tokens), torch.tensor(segments)
