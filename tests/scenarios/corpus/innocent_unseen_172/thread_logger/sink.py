"""Background consumer of per-batch records."""
import queue
import threading


class Sink:
    def __init__(self, depth=4):
        self.q = queue.Queue(maxsize=depth)
        self.count = 0
        self.mean = {}
        self.thread = threading.Thread(target=self._drain, daemon=True)

    def __enter__(self):
        self.thread.start()
        return self

    def __exit__(self, *exc):
        self.q.put(None)
        self.thread.join()
        return False

    def push(self, **named):
        self.q.put(named)

    def _drain(self):
        while True:
            record = self.q.get()
            if record is None:
                return
            self.count += 1
            for name, tensor in record.items():
                value = float(tensor.detach().mean())
                old = self.mean.get(name, value)
                self.mean[name] = old + 0.02 * (value - old)
