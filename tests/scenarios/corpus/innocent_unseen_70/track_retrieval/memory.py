from collections import deque

import torch


class RecentNegatives:
    """Track codes of the last batches. Gradients flow to those tracks also."""

    def __init__(self, batches):
        self._codes = deque(maxlen=batches)

    def with_current(self, codes):
        return torch.cat([codes, *self._codes])

    def push(self, codes):
        self._codes.append(codes)

    def __len__(self):
        return sum(len(c) for c in self._codes)
