"""Producer thread, bounded queue, rewindable consumer."""
import collections
import queue
import threading
from dataclasses import dataclass, field
from typing import Deque, NamedTuple

import torch


class Batch(NamedTuple):
    index: int
    x: torch.Tensor
    y: torch.Tensor


def produce(cfg):
    gen = torch.Generator().manual_seed(cfg.seed)
    w = torch.randn(cfg.width, 1, generator=gen) / cfg.width ** 0.5
    index = 0
    while True:
        x = torch.randn(cfg.batch, cfg.width, generator=gen)
        yield Batch(index, x, torch.tanh(x @ w))
        index += 1


@dataclass
class LoaderState:
    position: int = 0
    delivered: Deque[Batch] = field(default_factory=collections.deque)

    def deliver(self, batch: Batch) -> Batch:
        self.position = batch.index + 1
        self.delivered.append(batch)  # <- culprit
        return batch


class Prefetcher(threading.Thread):
    def __init__(self, source, depth):
        super().__init__(daemon=True, name="prefetch")
        self.source, self.out, self.stopping = source, queue.Queue(depth), threading.Event()

    def run(self):
        for item in self.source:
            while not self.stopping.is_set():
                try:
                    self.out.put(item, timeout=0.05)
                    break
                except queue.Full:
                    continue
            if self.stopping.is_set():
                return


class ResumableLoader:
    def __init__(self, cfg):
        self.cfg = cfg
        self.state = LoaderState(delivered=collections.deque(maxlen=cfg.rewind))  # <- culprit
        self._thread = Prefetcher(produce(cfg), cfg.prefetch)

    def __enter__(self):
        self._thread.start()
        return self

    def __exit__(self, *exc_info):
        self._thread.stopping.set()
        self._thread.join()
        return False

    def __iter__(self):
        while True:
            yield self.state.deliver(self._thread.out.get())

    def replay(self, count):
        """The last `count` delivered batches, oldest first."""
        return list(self.state.delivered)[-count:]

    def state_dict(self):
        return {"position": self.state.position, "seed": self.cfg.seed}
