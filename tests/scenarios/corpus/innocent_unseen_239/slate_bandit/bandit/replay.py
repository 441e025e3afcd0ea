import random
from collections import deque
from dataclasses import dataclass

import torch


@dataclass(frozen=True)
class Interaction:
    user: torch.Tensor
    item: int
    propensity: torch.Tensor
    baseline: torch.Tensor
    reward: float


class ReplayMemory:
    def __init__(self, capacity, seed):
        self.buffer = deque(maxlen=capacity)
        self.rng = random.Random(seed)

    def __len__(self):
        return len(self.buffer)

    def push(self, user, item, propensity, baseline, reward):
        entry = Interaction(user, int(item), propensity.detach(), baseline.detach(), float(reward))
        self.buffer.append(entry)

    def sample(self, n):
        rows = self.rng.sample(self.buffer, n)
        users = torch.stack([r.user for r in rows])
        items = torch.tensor([r.item for r in rows])
        props = torch.stack([r.propensity for r in rows])
        base = torch.stack([r.baseline for r in rows])
        rewards = torch.tensor([r.reward for r in rows])
        return users, items, props, base, rewards
