import random

import torch


def _lane(rng, n):
    out, c = [], rng.randrange(14)
    for _ in range(n):
        c = (c * 3 + 1) % 14 if rng.random() < 0.85 else rng.randrange(14)
        out.append(c)
    return out


def windows(epoch, count, length, lanes):
    rng = random.Random(epoch)
    strip = torch.tensor([_lane(rng, count * length + 1) for _ in range(lanes)])
    for w in range(count):
        seg = strip[:, w * length: (w + 1) * length + 1]
        yield seg[:, :-1], seg[:, 1:]
