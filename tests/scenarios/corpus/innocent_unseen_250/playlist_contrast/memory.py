from collections import deque

import torch


class KeyMemory:
    def __init__(self, batches):
        self.batches = deque(maxlen=batches)

    def __len__(self):
        return len(self.batches)

    def enqueue(self, keys):
        self.batches.append(keys)

    def negatives(self):
        return torch.cat(list(self.batches))
