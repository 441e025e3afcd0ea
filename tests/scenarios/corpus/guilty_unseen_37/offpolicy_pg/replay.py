import random
from collections import deque, namedtuple

Transition = namedtuple("Transition", "obs action log_prob reward")


class ReplayMemory:
    def __init__(self, capacity):
        self.data = deque(maxlen=capacity)

    def push(self, tr):
        self.data.append(tr)  # <- culprit

    def sample(self, k):
        return random.sample(self.data, min(k, len(self.data)))

    def __len__(self):
        return len(self.data)
