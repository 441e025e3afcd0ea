"""CSV telemetry that stays out of the way of the training step.

Formatting a tensor synchronises with the device, hence rows are rendered when the log is
closed and not while the model is training.
"""
import csv


class CsvLog:
    def __init__(self, path, columns):
        self.path, self.columns = path, columns
        self._queue = []

    def __enter__(self):
        return self

    def __exit__(self, *exc):
        self.close()

    def record(self, step, terms):
        def render():
            return [step] + [f"{terms[c].item():.6f}" for c in self.columns[1:]]  # <- culprit
        self._queue.append(render)  # <- culprit

    def close(self):
        with open(self.path, "w", newline="") as f:
            out = csv.writer(f)
            out.writerow(self.columns)
            for render in self._queue:
                out.writerow(render())
        self._queue.clear()
