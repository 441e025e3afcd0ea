from contextlib import contextmanager
from dataclasses import dataclass
from types import SimpleNamespace


@dataclass
class AccumulatorConfig:
    every: int = 4


class Accumulator:
    def __init__(self, optimizer, config):
        self.optimizer = optimizer
        self.config = config
        self.pending = []
        self.curve = []

    @property
    def full(self):
        return len(self.pending) >= self.config.every

    @contextmanager
    def micro(self):
        slot = SimpleNamespace(loss=None)
        yield slot
        (slot.loss / self.config.every).backward()
        self.pending.append(slot)
        if self.full:
            self.flush()

    def flush(self):
        self.optimizer.step()
        self.optimizer.zero_grad()
        total = sum(s.loss for s in self.pending)
        self.curve.append((total / len(self.pending)).item())
        self.pending.clear()
