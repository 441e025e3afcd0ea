import random

import torch


class Reservoir:
    """Examples with the logits the network gave when they were seen (dark knowledge)."""

    def __init__(self, capacity):
        self.capacity, self.seen = capacity, 0
        self.slots = []

    def __len__(self):
        return len(self.slots)

    def add(self, x, y, logits):
        for item in zip(x, y, logits.detach()):
            self.seen += 1
            if len(self.slots) < self.capacity:
                self.slots.append(item)
            else:
                j = random.randrange(self.seen)
                if j < self.capacity:
                    self.slots[j] = item

    def sample(self, n):
        picked = random.sample(self.slots, min(n, len(self.slots)))
        return tuple(torch.stack(c) for c in zip(*picked))
