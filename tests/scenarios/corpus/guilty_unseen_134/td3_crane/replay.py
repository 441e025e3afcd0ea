import random
from collections import deque

import torch


class Replay:
    def __init__(self, limit):
        self.rows = deque(maxlen=limit)

    def add(self, o, a, r, n, d):
        self.rows.append((o, a, torch.tensor(r), n, torch.tensor(float(d))))

    def sample(self, n):
        return [torch.stack(c) for c in zip(*random.sample(self.rows, n))]
