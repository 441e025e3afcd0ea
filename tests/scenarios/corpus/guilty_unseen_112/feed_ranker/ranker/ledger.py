"""Who was shown what, with which score, and what came of it."""
import abc
from dataclasses import dataclass


@dataclass
class Shown:
    request: str
    user: int
    item: int
    score: float
    clicked: float


class Ledger(abc.ABC):
    def __init__(self):
        self._rows = {}  # <- culprit

    def enter(self, row):
        self._rows[row.request] = row  # <- culprit

    def latest(self, n):
        keys = list(self._rows)[-n:]
        return [self._rows[k] for k in keys]

    @abc.abstractmethod
    def note(self, batch, scores):
        ...


class ImpressionLedger(Ledger):
    def note(self, batch, scores):
        columns = (batch.users.tolist(), batch.items.tolist(), scores.tolist(),
                   batch.clicked.tolist())
        for n, (u, i, p, c) in enumerate(zip(*columns)):
            self.enter(Shown(f"rq-{batch.number:06d}-{n:04d}", u, i, p, c))  # <- culprit
