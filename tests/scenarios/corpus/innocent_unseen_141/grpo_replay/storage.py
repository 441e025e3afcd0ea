import random
from typing import NamedTuple

from torch import Tensor


class Rollout(NamedTuple):
    tokens: Tensor
    logp_old: Tensor
    logp_ref: Tensor
    advantage: Tensor


class Replay:
    def __init__(self, limit):
        self.items, self.limit = [], limit

    def add(self, rollout, key):
        self.items.append((key, len(self.items), rollout))
        self.items.sort(key=lambda it: it[0], reverse=True)
        del self.items[self.limit:]

    def draw(self):
        return random.choice(self.items)[2]

    def best(self):
        return self.items[0][0]
