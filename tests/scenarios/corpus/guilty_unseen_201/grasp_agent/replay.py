import random
from collections import deque, namedtuple

import torch

Transition = namedtuple("Transition", "obs action logp reward")


class Replay:
    def __init__(self, capacity):
        self.memory = deque(maxlen=capacity)

    def push(self, *args):
        self.memory.append(Transition(*args))

    def sample(self, n):
        batch = random.sample(self.memory, n)
        cols = Transition(*zip(*batch))
        logp = torch.tensor([float(v) for v in cols.logp])
        return torch.stack(cols.obs), torch.stack(cols.action), logp, torch.tensor(cols.reward)

    def __len__(self):
        return len(self.memory)
