import random
from collections import deque, namedtuple

import numpy as np
import torch

Transition = namedtuple("Transition", ("state", "action", "reward", "next_state", "done"))


class ReplayMemory:
    def __init__(self, capacity):
        self.memory = deque([], maxlen=capacity)

    def push(self, *args):
        self.memory.append(Transition(*args))

    def sample(self, batch_size):
        batch = Transition(*zip(*random.sample(self.memory, batch_size)))
        s = torch.from_numpy(np.stack(batch.state))
        a = torch.tensor(batch.action).unsqueeze(1)
        r = torch.tensor(batch.reward, dtype=torch.float32)
        s2 = torch.from_numpy(np.stack(batch.next_state))
        d = torch.tensor(batch.done, dtype=torch.float32)
        return s, a, r, s2, d

    def __len__(self):
        return len(self.memory)
