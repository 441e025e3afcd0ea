import random

import torch
import torch.nn.functional as F


class EmbeddingBank:
    """Maps instance id -> most recent unit embedding."""

    def __init__(self, dim):
        self.dim = dim
        self.entries = {}
        self.rng = random.Random(0)

    def __len__(self):
        return len(self.entries)

    def store(self, ids, z):
        for key, row in zip(ids.tolist(), z.unbind(0)):
            self.entries[key] = row  # <- culprit

    def negatives(self, n):
        if len(self.entries) < n:
            return F.normalize(torch.randn(n, self.dim), dim=1)
        keys = self.rng.sample(sorted(self.entries), n)
        rows = [self.entries[k].detach() for k in keys]
        return torch.stack(rows)
