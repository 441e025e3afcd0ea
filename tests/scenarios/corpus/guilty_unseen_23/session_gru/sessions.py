import numpy as np
import torch


def simulate(n_sessions, n_items, length, seed=0):
    """random walks around a session topic"""
    rng = np.random.RandomState(seed)
    topic = rng.randint(0, n_items, size=(n_sessions, 1))
    steps = rng.randint(-3, 6, size=(n_sessions, length)).cumsum(axis=1)
    return torch.as_tensor((topic + steps) % n_items)


class SessionBatches:
    def __init__(self, clicks, batch_size):
        self.clicks = clicks
        self.batch_size = batch_size

    def __len__(self):
        return len(self.clicks) // self.batch_size

    def __iter__(self):
        order = torch.randperm(len(self.clicks))
        for b in range(len(self)):
            ids = order[b * self.batch_size:(b + 1) * self.batch_size]
            seq = self.clicks[ids]
            yield ids, seq[:, :-1], seq[:, 1:]
