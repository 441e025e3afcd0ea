import random

import torch


class Reservoir:
    """Reservoir sampling (Vitter), keeps inputs, targets and the net's answers."""

    def __init__(self, capacity, seed=0):
        self.capacity = capacity
        self.rng = random.Random(seed)
        self.seen = 0
        self.items = []

    def __len__(self):
        return len(self.items)

    def add(self, xs, ys, logits):
        for x, y, z in zip(xs, ys, logits):
            item = (x, y, z)  # <- culprit
            if len(self.items) < self.capacity:
                self.items.append(item)  # <- culprit
            else:
                j = self.rng.randint(0, self.seen)
                if j < self.capacity:
                    self.items[j] = item
            self.seen += 1

    def draw(self, k):
        batch = self.rng.sample(self.items, min(k, len(self.items)))
        x, y, z = zip(*batch)
        return torch.stack(x), torch.stack(y), torch.stack(z).data
