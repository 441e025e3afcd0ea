from collections import deque

import torch
import torch.nn.functional as F
from torch import nn


class KeyQueue(nn.Module):
    def __init__(self, size, dim):
        super().__init__()
        self.register_buffer("keys", F.normalize(torch.randn(size, dim), dim=-1))
        self.head = 0

    def __len__(self):
        return len(self.keys)

    def snapshot(self):
        # the queue is written between forward and the next forward, hand out a copy
        return self.keys.clone()

    @torch.no_grad()
    def enqueue(self, keys):
        where = (self.head + torch.arange(len(keys))) % len(self.keys)
        self.keys[where] = keys
        self.head = (self.head + len(keys)) % len(self.keys)


class RecentWindow:
    def __init__(self, size):
        self.values = deque(maxlen=size)

    def push(self, value):
        self.values.append(value)

    def mean(self):
        return torch.stack(list(self.values)).mean().item()
