import random

import torch


class SamplePool:
    """CycleGAN image buffer: half the time returns an older fake and stores the new one."""

    def __init__(self, size):
        self.size, self.store = size, []

    def query(self, batch):
        out = []
        for x in batch.detach():
            if len(self.store) < self.size:
                self.store.append(x)
                out.append(x)
            elif random.random() < 0.5:
                i = random.randrange(self.size)
                out.append(self.store[i])
                self.store[i] = x
            else:
                out.append(x)
        return torch.stack(out)
