import random
from collections import deque, namedtuple

import torch

Transition = namedtuple("Transition", ("state", "action", "next_state", "reward"))


class ReplayMemory:
    def __init__(self, capacity):
        self.memory = deque([], maxlen=capacity)

    def push(self, *args):
        self.memory.append(Transition(*args))

    def sample(self, n):
        batch = Transition(*zip(*random.sample(self.memory, n)))
        mask = torch.tensor([s is not None for s in batch.next_state])
        nxt = torch.cat([s for s in batch.next_state if s is not None])
        return (torch.cat(batch.state), torch.cat(batch.action), mask, nxt, torch.cat(batch.reward))

    def __len__(self):
        return len(self.memory)
