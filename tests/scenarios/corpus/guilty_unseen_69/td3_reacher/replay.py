import random
from collections import deque
from typing import NamedTuple

import torch


class Batch(NamedTuple):
    state: torch.Tensor
    action: torch.Tensor
    reward: torch.Tensor
    following: torch.Tensor
    done: torch.Tensor


class Replay:
    def __init__(self, capacity):
        self.items = deque(maxlen=capacity)

    def push(self, state, action, reward, following, done):
        self.items.append((state, action, torch.tensor(reward), following, torch.tensor(float(done))))

    def sample(self, n):
        return Batch(*map(torch.stack, zip(*random.sample(self.items, n))))
