from collections import deque

import torch


class KeyQueue:
    def __init__(self, room):
        self.keys = deque(maxlen=room)

    def __len__(self):
        return len(self.keys)

    def push(self, batch):
        self.keys.extend(batch.unbind(0))

    def stack(self):
        return torch.stack(tuple(self.keys))
