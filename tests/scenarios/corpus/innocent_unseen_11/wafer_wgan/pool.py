"""Older fakes for the critic, so that the generator cannot go in circles."""
import random

import torch


class FakePool:
    def __init__(self, capacity, seed):
        self.capacity = capacity
        self.maps = []
        self.rng = random.Random(seed)

    def __len__(self):
        return len(self.maps)

    def exchange(self, fakes):
        given = []
        for fake in fakes.unbind(0):
            if len(self.maps) < self.capacity:
                self.maps.append(fake.clone())
                given.append(fake)
            elif self.rng.random() < 0.5:
                slot = self.rng.randrange(self.capacity)
                given.append(self.maps[slot])
                self.maps[slot] = fake.clone()
            else:
                given.append(fake)
        return torch.stack(given)
