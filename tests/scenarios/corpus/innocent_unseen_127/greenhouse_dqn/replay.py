import random

import torch


class Ring:
    def __init__(self, size, features):
        self.size = size
        self.items = []
        self.next = 0
        self.mean = torch.zeros(features)
        self.rng = random.Random(9)

    def __len__(self):
        return len(self.items)

    def add(self, feature, score, *transition):
        self.mean = 0.99 * self.mean + 0.01 * feature
        entry = (feature, score, *transition)
        if len(self.items) < self.size:
            self.items.append(entry)
        else:
            self.items[self.next] = entry
            self.next = (self.next + 1) % self.size

    def sample(self, n):
        picked = self.rng.sample(self.items, n)
        _, _, s, a, r, s2 = zip(*picked)
        return torch.stack(s), torch.tensor(a), torch.tensor(r), torch.stack(s2)

    def novelty(self):
        return (self.items[-1][0] - self.mean).norm().item()
