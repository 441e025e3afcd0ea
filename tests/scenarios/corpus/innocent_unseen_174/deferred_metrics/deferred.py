"""Metrics are queued as tensors and only turned into numbers when a block is full."""
from collections import defaultdict

import torch


class DeferredMetrics:
    def __init__(self, block, writer):
        self.block = block
        self.writer = writer
        self.pending = defaultdict(list)
        self.history = defaultdict(list)
        self.written = 0

    def log(self, step, **values):
        for name, value in values.items():
            self.pending[name].append((step, value))
        if any(len(v) >= self.block for v in self.pending.values()):
            self.flush()

    def flush(self):
        pending, self.pending = self.pending, defaultdict(list)
        for name, rows in pending.items():
            values = torch.stack([v for _, v in rows]).tolist()
            self.history[name].append(sum(values) / len(values))
            self.writer(name, rows[-1][0], self.history[name][-1])
        self.written += 1

    def __enter__(self):
        return self

    def __exit__(self, *exc):
        if self.pending:
            self.flush()


class EveryNth:
    def __init__(self, n):
        self.n, self.seen = n, defaultdict(int)

    def __call__(self, name, step, value):
        self.seen[name] += 1
        if self.seen[name] % self.n == 1:
            print(f"{name:>8} @ {step:5d}: {value:.4f}")
