from collections import deque
from concurrent.futures import ThreadPoolExecutor

import torch


def shard_forward(model, criterion, x, y):
    return criterion(model(x), y)


class ShardRunner:
    """Runs the shards of a batch in threads and remembers futures for the timing log."""

    def __init__(self, model, criterion, shards, backlog):
        self.model, self.criterion = model, criterion
        self.shards = shards
        self.backlog = backlog
        self.done = deque()
        self.pool = ThreadPoolExecutor(max_workers=shards)

    def __enter__(self):
        return self

    def __exit__(self, *exc):
        self.pool.shutdown()
        self.done.clear()

    def forward(self, x, y):
        futures = [
            self.pool.submit(shard_forward, self.model, self.criterion, xs, ys)
            for xs, ys in zip(x.chunk(self.shards), y.chunk(self.shards))
        ]
        self.done.extend(futures)
        while len(self.done) > self.backlog * self.shards:
            self.done.popleft()
        return torch.stack([f.result() for f in futures]).mean()

    def spread(self):
        values = torch.tensor([f.result().item() for f in self.done])
        return values.std().item()
