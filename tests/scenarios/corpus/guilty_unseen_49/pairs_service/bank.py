from collections import deque

import torch


class EmbeddingBank:
    """Negatives out of earlier batches."""

    def __init__(self, capacity: int, warmup: int):
        self._slots = deque(maxlen=capacity)
        self.warmup = warmup
        self.pushed = 0

    def __len__(self):
        return len(self._slots)

    @property
    def ready(self):
        return self.pushed >= self.warmup

    def push(self, emb):
        self._slots.append(emb)  # <- culprit
        self.pushed += 1

    def negatives(self):
        return torch.cat(tuple(self._slots))
