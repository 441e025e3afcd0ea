import random
from collections import deque

import torch


class Replay:
    def __init__(self, size):
        self.items = deque(maxlen=size)

    def __len__(self):
        return len(self.items)

    def push(self, s, a, r, s2, done, q):
        self.items.append((s, a, r, s2, float(done), q))

    def sample(self, n):
        s, a, r, s2, d, _ = zip(*random.sample(self.items, n))
        return torch.stack(s), torch.tensor(a), torch.tensor(r), torch.stack(s2), torch.tensor(d)
