import random
from collections import deque, namedtuple

import torch

Transition = namedtuple("Transition", "s a r s2 d")


class Replay:
    def __init__(self, capacity, seed):
        self.mem = deque(maxlen=capacity)
        self.rng = random.Random(seed)

    def push(self, *args):
        self.mem.append(Transition(*args))

    def __len__(self):
        return len(self.mem)

    def sample(self, n):
        b = Transition(*zip(*self.rng.sample(self.mem, n)))
        return (torch.stack(b.s), torch.tensor(b.a), torch.tensor(b.r),
                torch.stack(b.s2), torch.tensor(b.d, dtype=torch.float))
