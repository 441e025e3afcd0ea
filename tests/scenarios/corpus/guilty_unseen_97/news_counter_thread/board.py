import queue
import threading
from collections import Counter
from dataclasses import dataclass, field

_STOP = object()


@dataclass(slots=True)
class Record:
    step: int
    values: dict = field(default_factory=dict)


class MetricsBoard:
    """Totals are kept by a worker thread so that the training loop never waits for printing."""

    def __init__(self, every):
        self.every = every
        self.totals = Counter()
        self.counts = Counter()
        self._inbox = queue.Queue(maxsize=32)
        self._worker = threading.Thread(target=self._drain, name="metrics", daemon=True)

    def __enter__(self):
        self._worker.start()
        return self

    def __exit__(self, *exc):
        self._inbox.put(_STOP)
        self._worker.join()
        return False

    def post(self, step, **values):
        self._inbox.put(Record(step, values))  # <- culprit

    def _drain(self):
        while (rec := self._inbox.get()) is not _STOP:
            self.counts.update(rec.values.keys())
            for tag, value in rec.values.items():
                self.totals[tag] += value  # <- culprit
            if "ce" in rec.values and rec.step % self.every == self.every - 1:
                print(f"[{rec.step + 1}]", {k: round(v, 4) for k, v in self.averages().items()})

    def averages(self):
        return {k: float(self.totals[k].detach()) / n for k, n in self.counts.items()}
