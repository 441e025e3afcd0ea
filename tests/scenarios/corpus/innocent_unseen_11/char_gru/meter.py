import collections
import queue
import threading


class MeterThread:
    """Takes (step, value) pairs on a bounded queue and keeps the last few."""

    def __init__(self, keep):
        self.window = collections.deque(maxlen=keep)
        self._queue = queue.Queue(maxsize=32)
        self._thread = threading.Thread(target=self._drain, daemon=True)

    def __enter__(self):
        self._thread.start()
        return self

    def __exit__(self, *exc):
        self._queue.put(None)
        self._thread.join()

    def put(self, step, value):
        self._queue.put((step, value))

    def _drain(self):
        for step, value in iter(self._queue.get, None):
            self.window.append(value)
            if step % 100 == 0:
                print(f"slice {step}: {value:.3f}")

    def mean(self):
        return sum(self.window) / max(len(self.window), 1)
