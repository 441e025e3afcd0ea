import random
from collections import deque

import torch


class Replay:
    def __init__(self, capacity):
        self.items = deque(maxlen=capacity)
        self.rng = random.Random(1)

    def push(self, obs, action, reward, nxt, done):
        self.items.append((obs, action, reward, nxt, float(done)))

    def __len__(self):
        return len(self.items)

    def sample(self, n):
        obs, action, reward, nxt, done = zip(*self.rng.sample(list(self.items), n))
        return (torch.stack(obs), torch.tensor(action), torch.tensor(reward),
                torch.stack(nxt), torch.tensor(done))
