import random

import torch


class SequenceReplay:
    def __init__(self, capacity):
        self.capacity = capacity
        self.chunks = []
        self.pos = 0

    def add(self, start_state, steps):
        obs, act, rew = (torch.stack(x) for x in zip(*steps))
        item = (start_state, obs, act, rew)
        if len(self.chunks) < self.capacity:
            self.chunks.append(item)
        else:
            self.chunks[self.pos] = item
            self.pos = (self.pos + 1) % self.capacity

    def sample(self, n):
        picks = random.choices(self.chunks, k=n)
        state = tuple(torch.cat([p[0][i] for p in picks]) for i in range(2))
        obs, act, rew = (torch.cat([p[j] for p in picks], dim=1) for j in (1, 2, 3))
        return state, obs, act, rew
