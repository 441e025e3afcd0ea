"""Ring buffer of transitions in preallocated storage."""
from collections import namedtuple

import torch

Transition = namedtuple("Transition", "obs act rew nxt")


class Ring:
    def __init__(self, capacity, obs_dim, act_dim):
        self.data = Transition(torch.zeros(capacity, obs_dim), torch.zeros(capacity, act_dim),
                               torch.zeros(capacity, 1), torch.zeros(capacity, obs_dim))
        self.capacity, self.size, self.head = capacity, 0, 0

    def push(self, *items):
        for store, item in zip(self.data, items):
            store[self.head] = item
        self.head = (self.head + 1) % self.capacity
        self.size = min(self.size + 1, self.capacity)

    def sample(self, n):
        idx = torch.randint(0, self.size, (n,))
        return Transition(*(store[idx] for store in self.data))
