from typing import Any
from typing import NamedTuple

from plugins import Plugin


class Record(NamedTuple):
    step: int
    score: Any
    saved: bool


class CheckpointManager(Plugin):
    def __init__(self, keep, every):
        self.keep = keep
        self.every = every
        self.snapshots = {}
        self._ledger = {}

    @property
    def records(self):
        return self._ledger

    def after_step(self, host, step, score, **info):
        due = (step + 1) % self.every == 0
        self._ledger[step] = Record(step, score, due)  # <- culprit
        if due:
            state = {k: v.clone() for k, v in host.model.state_dict().items()}
            self.snapshots[step] = state
            self._prune()

    def _prune(self):
        order = sorted(self.snapshots, key=lambda s: self._ledger[s].score.item())
        for step in order[self.keep:]:
            del self.snapshots[step]

    def best(self):
        return min(self._ledger.values(), key=lambda r: r.score.item())
