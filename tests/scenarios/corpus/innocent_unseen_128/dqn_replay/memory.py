import random
from collections import deque

import torch


class Replay:
    def __init__(self, capacity):
        self.buf = deque(maxlen=capacity)

    def push(self, s, a, r, s2, done, priority):
        self.buf.append((s, a, r, s2, float(done), priority.detach()))

    def sample(self, n):
        items = random.sample(self.buf, n)
        s, a, r, s2, d, _ = zip(*items)
        return torch.stack(s), torch.tensor(a), torch.tensor(r), torch.stack(s2), torch.tensor(d)

    def __len__(self):
        return len(self.buf)
