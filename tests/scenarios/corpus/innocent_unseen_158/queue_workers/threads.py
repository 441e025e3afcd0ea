import threading
from collections import deque

import torch

END = object()


class Prefetcher:
    def __init__(self, box, batches, size=24):
        self.box, self.batches, self.size = box, batches, size
        self.generator = torch.Generator().manual_seed(5)
        self.thread = threading.Thread(target=self.produce, daemon=True)

    def produce(self):
        for _ in range(self.batches):
            x = torch.randn(self.size, 8, 16, generator=self.generator)
            y = x[:, 0].amax(dim=-1) - 0.5 * x[:, 1].mean(dim=-1)
            self.box.put((x, y))
        self.box.put(END)

    def __enter__(self):
        self.thread.start()
        return iter(self.box.get, END)

    def __exit__(self, *exc):
        self.thread.join(timeout=2)
        return False


class MetricsWorker:
    """Turns outputs into numbers off the main thread; the box is small, so the loop may wait."""

    def __init__(self, box):
        self.box = box
        self.rows = deque(maxlen=50)
        self.thread = threading.Thread(target=self.consume, daemon=True)

    def put(self, prediction, target, loss):
        self.box.put((prediction, target, loss))

    def consume(self):
        while (item := self.box.get()) is not END:
            prediction, target, loss = item
            residual = prediction - target
            self.rows.append((loss.item(), residual.std().item(), residual.abs().max().item()))
            self.box.task_done()
        self.box.task_done()

    def drain(self):
        self.box.join()

    def summary(self):
        mean, spread, worst = (sum(c) / len(c) for c in zip(*self.rows))
        return f"l1 {mean:.4f} spread {spread:.4f} worst {worst:.3f}"

    def __enter__(self):
        self.thread.start()
        return self

    def __exit__(self, *exc):
        self.box.put(END)
        self.thread.join(timeout=2)
        return False
