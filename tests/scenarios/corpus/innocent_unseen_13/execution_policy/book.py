"""The market side, and the desk's memory of recent executions."""
import torch


class MarketSimulator:
    def __init__(self, batch, temporary=0.6, decay=0.5, seed=7):
        self.g = torch.Generator().manual_seed(seed)
        self.batch, self.temporary, self.decay = batch, temporary, decay

    def open(self):
        signal = torch.randn(self.batch, generator=self.g)
        return torch.ones(self.batch), torch.zeros(self.batch), signal

    def impact(self, impact, traded):
        return self.decay * impact + self.temporary * traded

    def next_signal(self, signal):
        return 0.8 * signal + 0.6 * torch.randn(self.batch, generator=self.g)


class ExecutionBook:
    """Ring of the most recent executions, written in place."""

    def __init__(self, capacity, slices=10):
        self.pace = torch.zeros(capacity, slices)
        self.cost = torch.zeros(capacity)
        self.capacity, self.written = capacity, 0

    def record(self, pace, cost):
        n = len(cost)
        rows = torch.arange(self.written, self.written + n) % self.capacity
        self.pace[rows] = pace
        self.cost[rows] = cost
        self.written += n

    def describe(self):
        used = min(self.written, self.capacity)
        front = self.pace[:used, :3].sum(1).mean().item()
        return f"{used} executions, front-loaded {front:.2f}, cost sd {self.cost[:used].std().item():.4f}"
