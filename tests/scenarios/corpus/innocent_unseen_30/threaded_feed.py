# gradwatch-corpus: kind=none
"""Two reader threads feed a bounded queue; shards go through an LRU cache, running batches are tracked weakly."""
import queue
import threading
import weakref
from collections import OrderedDict

import torch
from torch import nn


class ShardCache:
    def __init__(self, limit):
        self.limit = limit
        self.lock = threading.Lock()
        self.shards = OrderedDict()
        self.loads = 0

    def load(self, k):
        g = torch.Generator().manual_seed(1000 + k)
        x = torch.randn(256, 24, generator=g) + (k % 5)
        return x, (x[:, :3].sum(1) > 3 * (k % 5)).float()

    def get(self, k):
        with self.lock:
            if k in self.shards:
                self.shards.move_to_end(k)
                return self.shards[k]
        shard = self.load(k)
        with self.lock:
            self.loads += 1
            self.shards[k] = shard
            while len(self.shards) > self.limit:
                self.shards.popitem(last=False)
        return shard


class Batch:
    __slots__ = ("x", "y", "key", "logits", "__weakref__")

    def __init__(self, x, y, key):
        self.x, self.y, self.key, self.logits = x, y, key, None


class Reader(threading.Thread):
    def __init__(self, cache, out, seed, stop):
        super().__init__(daemon=True)
        self.cache, self.out, self.stop = cache, out, stop
        self.gen = torch.Generator().manual_seed(seed)

    def run(self):
        n = 0
        while not self.stop.is_set():
            k = int(torch.randint(40, (1,), generator=self.gen))
            x, y = self.cache.get(k)
            pick = torch.randperm(len(x), generator=self.gen)[:32]
            item = Batch(x[pick], y[pick], (self.name, n))
            n += 1
            while not self.stop.is_set():
                try:
                    self.out.put(item, timeout=0.1)
                    break
                except queue.Full:
                    continue
            del item


class Ledger:
    """Which batches are alive at the moment, for the status line."""

    def __init__(self):
        self.alive = weakref.WeakValueDictionary()

    def enter(self, batch):
        self.alive[batch.key] = batch

    def status(self):
        return f"{len(self.alive)} alive"


def main(steps=320):
    torch.manual_seed(0)
    feed, stop = queue.Queue(maxsize=6), threading.Event()
    cache, ledger = ShardCache(limit=8), Ledger()
    readers = [Reader(cache, feed, seed, stop) for seed in (1, 2)]
    for r in readers:
        r.start()
    net = nn.Sequential(nn.BatchNorm1d(24), nn.Linear(24, 32), nn.ReLU(), nn.Linear(32, 1))
    opt = torch.optim.SGD(net.parameters(), lr=0.1, momentum=0.9)
    try:
        for step in range(1, steps + 1):
            batch = feed.get()
            ledger.enter(batch)
            batch.logits = net(batch.x).squeeze(1)
            loss = nn.functional.binary_cross_entropy_with_logits(batch.logits, batch.y)
            opt.zero_grad()
            loss.backward()
            opt.step()
            if step % 80 == 0:
                print(f"{step}: loss {loss.item():.4f} loads {cache.loads} shards {len(cache.shards)} {ledger.status()}")
    finally:
        stop.set()
        for r in readers:
            r.join()


if __name__ == "__main__":
    main()
