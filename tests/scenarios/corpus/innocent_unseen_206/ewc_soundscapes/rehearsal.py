import random

import torch


class Reservoir:
    def __init__(self, size, seed):
        self.size, self.seen = size, 0
        self.items = []
        self.rng = random.Random(seed)

    def __len__(self):
        return len(self.items)

    def offer(self, x, y, logits):
        for item in zip(x, y, logits.detach()):
            self.seen += 1
            if len(self.items) < self.size:
                self.items.append(item)
                continue
            j = self.rng.randrange(self.seen)
            if j < self.size:
                self.items[j] = item

    def sample(self, n):
        return tuple(torch.stack(part) for part in zip(*self.rng.sample(self.items, n)))
