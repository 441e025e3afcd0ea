import random
from typing import NamedTuple

import torch


class Item(NamedTuple):
    obs: torch.Tensor
    act: torch.Tensor
    rew: torch.Tensor
    nxt: torch.Tensor
    done: torch.Tensor
    q: torch.Tensor


class Replay:
    def __init__(self, capacity, seed):
        self.items, self.capacity, self.pos = [], capacity, 0
        self.rng = random.Random(seed)

    def __len__(self):
        return len(self.items)

    def add_batch(self, *cols):
        for row in zip(*cols):
            item = Item(*row)
            if len(self.items) < self.capacity:
                self.items.append(item)
            else:
                self.items[self.pos] = item
            self.pos = (self.pos + 1) % self.capacity

    def sample(self, n):
        return Item(*(torch.stack(c) for c in zip(*self.rng.choices(self.items, k=n))))
