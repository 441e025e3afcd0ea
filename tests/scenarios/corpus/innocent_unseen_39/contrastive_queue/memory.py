from collections import deque

import torch
import torch.nn.functional as F


class KeyQueue:
    def __init__(self, maxlen, dim, first=64):
        self.blocks = deque(maxlen=maxlen)
        self.blocks.append(F.normalize(torch.randn(first, dim), dim=1))

    def enqueue(self, keys):
        self.blocks.append(keys)

    def keys(self):
        return torch.cat(list(self.blocks))

    def __len__(self):
        return sum(len(b) for b in self.blocks)
