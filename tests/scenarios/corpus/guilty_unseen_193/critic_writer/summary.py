import json
import os
import time


class SummaryWriter:
    """Minimal event writer: scalars are queued and written out as json lines on flush."""

    def __init__(self, log_dir, max_queue=5000):
        self.path = os.path.join(log_dir, "events.jsonl")
        self.max_queue = max_queue
        self._queue = []

    def add_scalar(self, tag, value, step):
        self._queue.append((time.time(), tag, value, step))
        if len(self._queue) >= self.max_queue:
            self.flush()

    def add_scalars(self, main_tag, values, step):
        for tag, value in values.items():
            self.add_scalar(f"{main_tag}/{tag}", value, step)

    def flush(self):
        with open(self.path, "a") as fh:
            for wall, tag, value, step in self._queue:
                fh.write(json.dumps({"t": wall, "tag": tag, "v": float(value), "step": step}) + "\n")
        self._queue.clear()

    def close(self):
        self.flush()
