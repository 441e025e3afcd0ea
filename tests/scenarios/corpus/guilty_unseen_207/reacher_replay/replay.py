import random
from collections import deque
from typing import NamedTuple

import torch


class Transition(NamedTuple):
    obs: torch.Tensor
    action: torch.Tensor
    log_prob: torch.Tensor
    reward: float
    next_obs: torch.Tensor


class Replay:
    def __init__(self, capacity):
        self.storage = deque(maxlen=capacity)
        self.rng = random.Random(0)

    def __len__(self):
        return len(self.storage)

    def push(self, *fields):
        self.storage.append(Transition(*fields))

    def sample(self, n):
        rows = self.rng.choices(self.storage, k=n)
        stack = lambda name: torch.stack([getattr(r, name) for r in rows])
        with torch.no_grad():
            logp = stack("log_prob")
        return stack("obs"), stack("action"), logp, torch.tensor([r.reward for r in rows]), stack("next_obs")
