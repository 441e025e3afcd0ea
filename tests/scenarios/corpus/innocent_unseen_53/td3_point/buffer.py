import random
from collections import deque

import numpy as np
import torch


class ReplayBuffer:
    def __init__(self, capacity):
        self.memory = deque(maxlen=capacity)

    def push(self, *transition):
        self.memory.append(transition)

    def sample(self, n):
        n = min(n, len(self.memory))
        s, a, r, s2, d = zip(*random.sample(self.memory, n))
        to = lambda v: torch.as_tensor(np.array(v), dtype=torch.float32)
        return to(s), to(a), to(r).unsqueeze(1), to(s2), to(d).unsqueeze(1)

    def __len__(self):
        return len(self.memory)
