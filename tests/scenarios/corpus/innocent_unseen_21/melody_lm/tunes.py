import random

import torch

STEPS = (-4, -3, -2, -1, 0, 1, 2, 3, 4)


def tune(rng, n, notes):
    motif = [rng.choice(STEPS) for _ in range(4)]
    at, out = rng.randrange(notes), []
    for i in range(n):
        out.append(at)
        step = motif[i % 4] if rng.random() < 0.9 else rng.choice(STEPS)
        at = (at + step) % notes
    return out


def streams(batch, length, notes, seed, segments=7):
    rng = random.Random(seed)
    while True:
        rows = torch.tensor([tune(rng, segments * length + 1, notes) for _ in range(batch)])
        for s in range(segments):
            cut = rows[:, s * length:(s + 1) * length + 1]
            yield cut[:, :-1], cut[:, 1:], s == 0
