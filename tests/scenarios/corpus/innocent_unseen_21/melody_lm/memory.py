from collections import deque

import torch


class SegmentMemory:
    """The hidden states of the last few segments, for each layer; nothing is learned through them."""

    def __init__(self, depth, keep):
        self.segments = [deque(maxlen=keep) for _ in range(depth)]

    def read(self):
        return [torch.cat(list(s), 1) if s else None for s in self.segments]

    def write(self, hidden):
        for s, h in zip(self.segments, hidden):
            s.append(h.detach())

    def forget(self):
        for s in self.segments:
            s.clear()
