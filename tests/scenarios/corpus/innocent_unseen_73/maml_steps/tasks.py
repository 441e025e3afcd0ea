from collections import namedtuple

import torch

Task = namedtuple("Task", "xs ys xq yq")


class TaskSampler:
    def __init__(self, shots=8, queries=16):
        self.shots, self.queries = shots, queries

    def _one(self):
        x = torch.rand(self.shots + self.queries, 1) * 4 - 2
        a, b = torch.rand(2).tolist()
        if torch.rand(()) < 0.5:
            y = (0.5 + a) * torch.sin(2 * x + 3 * b)
        else:
            y = (2 * a - 1) * x + b
        k = self.shots
        return Task(x[:k], y[:k], x[k:], y[k:])

    def batch(self, n):
        return [self._one() for _ in range(n)]
