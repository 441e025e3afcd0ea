import random
from collections import deque, namedtuple

import torch

Transition = namedtuple("Transition", "obs act rew nxt done q_seen")


class Memory:
    def __init__(self, size):
        self.buf = deque(maxlen=size)

    def add(self, *args):
        self.buf.append(Transition(*args))

    def sample(self, n):
        rows = random.sample(self.buf, n)
        return Transition(*(torch.stack(c) for c in zip(*rows)))

    def __len__(self):
        return len(self.buf)
