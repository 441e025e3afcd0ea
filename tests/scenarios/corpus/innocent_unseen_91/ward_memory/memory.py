from collections import OrderedDict, deque

import torch


class PatientMemory:
    """Last few encodings of the most recently seen patients (least recent are dropped)."""

    def __init__(self, dim, capacity, depth):
        self.dim, self.capacity, self.depth = dim, capacity, depth
        self.slots = OrderedDict()
        self.misses = 0

    def read(self, pid):
        if pid not in self.slots:
            self.misses += 1
            return torch.zeros(1, self.dim)
        self.slots.move_to_end(pid)
        return torch.stack(tuple(self.slots[pid]))

    def write(self, pid, value):
        self.slots.setdefault(pid, deque(maxlen=self.depth)).append(value.detach())
        self.slots.move_to_end(pid)
        while len(self.slots) > self.capacity:
            self.slots.popitem(last=False)

    def clear(self):
        self.slots.clear()
        self.misses = 0
