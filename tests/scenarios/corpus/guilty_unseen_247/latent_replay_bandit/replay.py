import random
from collections import namedtuple

Item = namedtuple("Item", "latent arms reward")


class LatentReplay:
    def __init__(self, capacity, seed=2):
        self.capacity = capacity
        self.items = []
        self.rng = random.Random(seed)

    def push(self, item):
        if len(self.items) == self.capacity:
            self.items.pop(self.rng.randrange(self.capacity))
        self.items.append(item)  # <- culprit

    def sample(self):
        return self.rng.choice(self.items)
