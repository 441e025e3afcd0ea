import random
from collections import deque, namedtuple

Transition = namedtuple("Transition", "latent action reward next_latent")


class ReplayMemory:
    def __init__(self, capacity, seed=0):
        self.buf = deque(maxlen=capacity)
        self.rng = random.Random(seed)

    def push(self, *args):
        self.buf.append(Transition(*args))  # <- culprit

    def sample(self, n):
        return Transition(*zip(*self.rng.sample(list(self.buf), n)))

    def __len__(self):
        return len(self.buf)
