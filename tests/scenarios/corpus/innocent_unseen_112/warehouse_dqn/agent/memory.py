import random
from collections import deque, namedtuple

import numpy as np
import torch

Step = namedtuple("Step", "obs act reward nxt done")


class Memory:
    def __init__(self, capacity, seed):
        self.steps = deque(maxlen=capacity)
        self.rng = random.Random(seed)

    def __len__(self):
        return len(self.steps)

    def add(self, obs, act, reward, nxt, done):
        self.steps.append(Step(obs.copy(), act, reward, nxt.copy(), done))

    def sample(self, n):
        chosen = self.rng.sample(self.steps, n)
        cols = list(zip(*chosen))
        return (
            torch.from_numpy(np.stack(cols[0])),
            torch.tensor(cols[1]),
            torch.tensor(cols[2], dtype=torch.float32),
            torch.from_numpy(np.stack(cols[3])),
            torch.tensor(cols[4], dtype=torch.float32),
        )
