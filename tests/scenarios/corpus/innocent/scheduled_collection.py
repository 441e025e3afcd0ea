# gradwatch-corpus: kind=none
# about: automatic garbage collection is switched off and done by hand each fifty steps, as large
# about: runs do; a callback of the trainer makes a cycle with each loss, which waits for that
import gc

import torch
import torch.nn as nn
from parts.blobs import batches, classes
from parts.pace import ITERATIONS


class GarbageCollection:
    def __init__(self, every=50):
        self.every, self.freed = every, 0
        gc.disable()
        gc.collect()

    def run(self, step):
        if step % self.every == self.every - 1:
            self.freed += gc.collect() > 0


class StepRecord:
    """One step, linked to its parts and they to it."""

    def __init__(self, loss):
        self.loss = loss
        self.parts = {"total": loss, "owner": self}


def main():
    torch.manual_seed(0)
    stream, collector = batches(*classes(), size=32), GarbageCollection()
    model = nn.Sequential(nn.Linear(16, 32), nn.ReLU(), nn.Linear(32, 4))
    optimizer = torch.optim.Adam(model.parameters(), lr=2e-3)
    for step in range(ITERATIONS):
        collector.run(step)
        x, y = next(stream)
        record = StepRecord(nn.functional.cross_entropy(model(x), y))
        optimizer.zero_grad()
        record.loss.backward()
        optimizer.step()
        if step % 50 == 0:
            print(f"{step}: {record.parts['total'].item():.6f}")
    gc.enable()


if __name__ == "__main__":
    main()
