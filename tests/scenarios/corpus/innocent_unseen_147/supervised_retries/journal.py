from __future__ import annotations

from collections import Counter, deque


class Outlier(Exception):
    def __init__(self, residual, limit: float) -> None:
        super().__init__(f"residual above {limit:.3f}")
        self.residual, self.limit = residual, limit


class Journal:
    def __init__(self, last: int) -> None:
        self.counts: Counter = Counter()
        self.recent: deque[Outlier] = deque(maxlen=last)

    def note(self, err: Outlier) -> None:
        self.counts[type(err).__name__] += 1
        self.recent.append(err)

    def text(self) -> str:
        tops = [round(e.residual.max().item(), 3) for e in self.recent]
        return f"{dict(self.counts)} latest {tops}"
