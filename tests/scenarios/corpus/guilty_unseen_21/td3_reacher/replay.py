from typing import NamedTuple

import torch


class Transition(NamedTuple):
    obs: torch.Tensor
    action: torch.Tensor
    reward: torch.Tensor
    nxt: torch.Tensor


class RingReplay:
    def __init__(self, size, obs_dim, act_dim):
        self.store = Transition(
            torch.zeros(size, obs_dim), torch.zeros(size, act_dim), torch.zeros(size), torch.zeros(size, obs_dim)
        )
        self.size = size
        self.written = 0

    def add(self, *columns):
        n = len(columns[0])
        where = (self.written + torch.arange(n)) % self.size
        for slot, column in zip(self.store, columns):
            slot[where] = column
        self.written += n

    def sample(self, n):
        pick = torch.randint(min(self.written, self.size), (n,))
        return Transition(*(slot[pick] for slot in self.store))
