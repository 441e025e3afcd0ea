import queue
import threading
from collections import deque

import torch


class Reporter:
    """Takes (step, loss, prediction) and keeps a sliding window for the printed averages."""

    def __init__(self, window):
        self.inbox = queue.Queue(maxsize=3)
        self.losses = deque(maxlen=window)
        self.last = {}
        self.seen = 0
        self.thread = threading.Thread(target=self._work, daemon=True)

    def __enter__(self):
        self.thread.start()
        return self

    def __exit__(self, *exc):
        self.inbox.put(None)
        self.thread.join()

    def _work(self):
        while True:
            note = self.inbox.get()
            if note is None:
                return
            self.losses.append(note["loss"])
            self.last.update(note)
            self.seen += 1
            if self.seen % 90 == 0:
                print(self.summary())

    def summary(self):
        window = torch.stack(tuple(self.losses))
        return (f"step {self.last['step'] + 1}: loss {window.mean().item():.5f} over {len(window)}, "
                f"prediction spread {self.last['prediction'].std().item():.3f}")
