from dataclasses import dataclass


@dataclass
class Entry:
    mean_scale: float
    belief: object

    @property
    def spread(self):
        return float(self.belief.scale.max() - self.belief.scale.min())


class Ledger:
    def __init__(self, every=1):
        self.every = every
        self._by_step = {}

    def record(self, step, belief):
        if step % self.every:
            return
        scale = belief.scale.mean().item()
        self._by_step[step] = Entry(scale, belief)  # <- culprit

    def __len__(self):
        return len(self._by_step)

    def summary(self):
        keys = sorted(self._by_step)
        first, last = self._by_step[keys[0]], self._by_step[keys[-1]]
        return {
            "entries": len(self),
            "scale": (round(first.mean_scale, 3), round(last.mean_scale, 3)),
            "spread": (round(first.spread, 3), round(last.spread, 3)),
        }


class LedgerMixin:
    def attach(self, ledger):
        self.ledger = ledger
        self._clock = 0

    def note(self, belief):
        self.ledger.record(self._clock, belief)
        self._clock += 1
