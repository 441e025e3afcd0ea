from collections import deque

import torch


class Ema:
    def __init__(self, beta):
        self.beta, self.value = beta, None

    def push(self, x):
        self.value = x if self.value is None else self.beta * self.value + (1 - self.beta) * x


class LossWindow:
    """The last few losses, read only when somebody asks."""

    def __init__(self, size):
        self.items = deque(maxlen=size)

    def push(self, loss):
        self.items.append(loss.detach())

    def mean(self):
        return torch.stack(tuple(self.items)).mean().item()
