import random
from collections import deque

import torch


class Replay:
    def __init__(self, capacity):
        self.rows = deque(maxlen=capacity)

    def __len__(self):
        return len(self.rows)

    def push(self, row):
        self.rows.append(row)

    def sample(self, k):
        return [torch.stack(col) for col in zip(*random.sample(self.rows, k))]


class NStep:
    def __init__(self, n, gamma):
        self.n, self.gamma, self.items = n, gamma, deque(maxlen=n)

    def push(self, obs, pick, reward, value, nxt):
        self.items.append((obs, pick, reward, value))
        if len(self.items) < self.n:
            return None
        ret = sum(self.gamma ** k * item[2] for k, item in enumerate(self.items))
        first = self.items[0]
        rank = (ret - first[3]).abs()
        return first[0], torch.tensor(first[1]), torch.tensor(ret), nxt, rank
