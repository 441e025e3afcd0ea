import random
from collections import deque

import torch


class LatentReplay:
    def __init__(self, capacity):
        self._q = deque(maxlen=capacity)
        self._rng = random.Random(0)

    def __len__(self):
        return len(self._q)

    def push(self, z):
        self._q.extend(z.detach().unbind(0))

    def sample(self, n):
        if len(self._q) < n:
            return None
        return torch.stack(self._rng.sample(list(self._q), n))
