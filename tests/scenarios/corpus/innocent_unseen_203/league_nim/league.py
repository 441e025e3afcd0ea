import copy
import random


class League:
    def __init__(self, capacity, seed):
        self.capacity = capacity
        self.rng = random.Random(seed)
        self.members = []
        self.rates = []

    def add(self, player):
        frozen = copy.deepcopy(player).requires_grad_(False)
        if len(self.members) == self.capacity:
            weakest = max(range(self.capacity), key=self.rates.__getitem__)
            self.members.pop(weakest)
            self.rates.pop(weakest)
        self.members.append(frozen)
        self.rates.append(0.5)

    def pick(self):
        weights = [1.05 - r for r in self.rates]
        slot = self.rng.choices(range(len(self.members)), weights)[0]
        return slot, self.members[slot]

    def record(self, slot, result):
        self.rates[slot] += 0.05 * ((result + 1) / 2 - self.rates[slot])

    def table(self):
        return [round(r, 2) for r in self.rates]
