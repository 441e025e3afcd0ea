import random

import torch
import torch.nn.functional as F

MEMORIES = {}


def memory(name):
    def deco(cls):
        MEMORIES[name] = cls
        return cls
    return deco


@memory("queue")
class KeyQueue:
    def __init__(self, size, width):
        self.keys = F.normalize(torch.randn(size, width), dim=1)

    def push(self, keys):
        self.keys = torch.cat([self.keys[len(keys):], keys])

    def __len__(self):
        return len(self.keys)


@memory("anchors")
class AnchorStore:
    """All embeddings seen, with the snippet they came from; sampled for the stability term."""

    def __init__(self, seed, per_step=2):
        self.rows = []
        self.per_step = per_step
        self.rng = random.Random(seed)

    def push(self, x, z):
        for i in range(self.per_step):
            self.rows.append((x[i], z[i].detach().clone()))

    def sample(self, n):
        picks = self.rng.sample(self.rows, n)
        xs, zs = zip(*picks)
        return torch.stack(xs), torch.stack(zs)

    def __len__(self):
        return len(self.rows)
