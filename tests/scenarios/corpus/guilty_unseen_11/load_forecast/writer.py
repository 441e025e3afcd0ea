"""Metric writer with its own thread. Formatting is done when the file is closed, in one go."""
import queue
import threading
from typing import NamedTuple


class Row(NamedTuple):
    step: int
    values: dict


class MetricWriter:
    def __init__(self, columns):
        self.columns = columns
        self.rows = []
        self.text = ""
        self._inbox = queue.Queue(maxsize=256)
        self._thread = threading.Thread(target=self._work, name="metric-writer", daemon=True)

    def __enter__(self):
        self._thread.start()
        return self

    def __exit__(self, *exc):
        self._inbox.put(None)
        self._thread.join()
        self.text = "\n".join(self._format(row) for row in self.rows)

    def log(self, step, values):
        self._inbox.put(Row(step, values))

    def _work(self):
        while True:
            row = self._inbox.get()
            if row is None:
                return
            self.rows.append(row)  # <- culprit

    def _format(self, row):
        return ",".join([str(row.step)] + [f"{row.values[c].item():.5f}" for c in self.columns])

    def tail(self, n):
        return "\n".join([",".join(["step"] + self.columns)] + self.text.splitlines()[-n:])
