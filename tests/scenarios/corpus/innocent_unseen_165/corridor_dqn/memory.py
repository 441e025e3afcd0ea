import random
from collections import deque

import torch


class ReplayMemory:
    def __init__(self, capacity):
        self.buffer = deque(maxlen=capacity)

    def push(self, *transition):
        self.buffer.append(transition)

    def sample(self, n):
        s, a, r, s2, d = zip(*random.sample(self.buffer, n))
        return torch.stack(s), torch.tensor(a), torch.tensor(r), torch.stack(s2), torch.tensor(d, dtype=torch.float32)

    def __len__(self):
        return len(self.buffer)
