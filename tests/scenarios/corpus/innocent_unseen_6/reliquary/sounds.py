import random

import torch


def shuffled(clips, per_clip, seed):
    order = list(range(clips))
    random.Random(seed).shuffle(order)
    for k in order:
        rng = torch.Generator().manual_seed(1000 + k)
        yield f"clip{k:03d}", torch.randn(per_clip, 40, generator=rng)
