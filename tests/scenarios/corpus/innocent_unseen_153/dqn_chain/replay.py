import random
from collections import deque

import torch
import torch.nn as nn


class QNet(nn.Module):
    def __init__(self, n_obs, n_act):
        super().__init__()
        self.body = nn.Sequential(nn.Linear(n_obs, 32), nn.ReLU())
        self.v = nn.Linear(32, 1)
        self.adv = nn.Linear(32, n_act)

    def forward(self, x):
        h = self.body(x)
        a = self.adv(h)
        return self.v(h) + a - a.mean(-1, keepdim=True)


class ReplayBuffer:
    def __init__(self, capacity):
        self.store = deque(maxlen=capacity)

    def push(self, *transition):
        self.store.append(transition)

    def sample(self, n):
        s, a, r, s2, d = zip(*random.sample(self.store, n))
        return torch.stack(s), torch.tensor(a), torch.tensor(r), torch.stack(s2), torch.tensor(d, dtype=torch.float32)

    def __len__(self):
        return len(self.store)
