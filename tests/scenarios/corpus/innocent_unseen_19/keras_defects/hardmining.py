import heapq

import torch

from keraslike import Callback


class HardPool:
    """The rows with the largest recent losses, at most `capacity` of them."""

    def __init__(self, capacity):
        self.capacity = capacity
        self.loss_of = {}

    def add(self, rows, losses):
        for r, l in zip(rows, losses):
            self.loss_of[r] = l
        if len(self.loss_of) > self.capacity:
            top = heapq.nlargest(self.capacity, self.loss_of.items(), key=lambda kv: kv[1])
            self.loss_of = dict(top)

    def sample(self, n):
        known = list(self.loss_of)
        if len(known) < n:
            return torch.empty(0, dtype=torch.long)
        pick = torch.randint(len(known), (n,)).tolist()
        return torch.tensor([known[i] for i in pick])

    def hardest(self, n):
        return heapq.nlargest(n, self.loss_of, key=self.loss_of.get)


class HardPoolCallback(Callback):
    def __init__(self, pool):
        self.pool = pool

    def on_batch_end(self, rows, logs):
        self.pool.add(rows.tolist(), logs["rows_loss"].tolist())

    def on_epoch_end(self, epoch, logs):
        self.pool.loss_of = {r: 0.9 * l for r, l in self.pool.loss_of.items()}
