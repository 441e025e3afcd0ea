"""Proportional prioritized replay (flat, no sum-tree: the logs are small)."""
import numpy as np
import torch


class PrioritizedReplay:
    def __init__(self, exponent, seed, floor=1e-3):
        self.exponent, self.floor = exponent, floor
        self.rng = np.random.default_rng(seed)
        self.rows, self.weights = [], []

    def append(self, row):
        self.rows.append(row)
        self.weights.append(1.0)

    def distribution(self):
        w = np.array([float(v) for v in self.weights]) ** self.exponent
        return w / w.sum()

    def sample(self, n):
        p = self.distribution()
        idx = self.rng.choice(len(self.rows), size=n, replace=False, p=p)
        columns = [torch.stack(c) for c in zip(*(self.rows[i] for i in idx))]
        correction = torch.tensor((len(p) * p[idx]) ** -0.4, dtype=torch.float32)
        return idx, columns, correction / correction.max()

    def reprioritize(self, idx, errors):
        for slot, err in zip(idx, errors):
            self.weights[slot] = err.abs() + self.floor  # <- culprit
