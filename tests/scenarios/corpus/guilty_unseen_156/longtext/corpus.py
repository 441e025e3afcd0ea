import random

import torch

CHARS = "abcdefghij .,"
_WORDS = ["bad", "cafe", "decide", "head", "big", "jig", "face", "fee", "hide", "ice", "each", "beach"]


def stream(seed):
    rng = random.Random(seed)
    while True:
        n = rng.randint(3, 7)
        text = " ".join(rng.choice(_WORDS) for _ in range(n)) + rng.choice([". ", ", "])
        yield from (CHARS.index(c) for c in text)


def segments(streams, seg):
    sources = [stream(s) for s in range(streams)]
    last = [next(s) for s in sources]
    while True:
        rows = []
        for k, src in enumerate(sources):
            row = [last[k]] + [next(src) for _ in range(seg)]
            last[k] = row[-1]
            rows.append(row)
        block = torch.tensor(rows)
        yield block[:, :-1], block[:, 1:]
