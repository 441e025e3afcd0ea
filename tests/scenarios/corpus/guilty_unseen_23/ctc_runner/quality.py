from collections import Counter
from contextlib import contextmanager


class LowLevelAudio(Exception):
    def __init__(self, level, blank_share):
        super().__init__(f"input level {level:.2f}, blanks {blank_share:.2f}")
        self.level = level


def check_confidence(logp, level, floor=0.1):
    scores = logp.exp()
    blank_share = scores[..., 0].mean().item()
    if level < floor:
        raise LowLevelAudio(level, blank_share)
    return blank_share


class QualityGuard:
    """Lets a batch through when a check fails, and lists the failures at the end of the run."""

    def __init__(self, accept=(LowLevelAudio,)):
        self.accept = accept
        self.problems = []

    @property
    def count(self):
        return len(self.problems)

    @contextmanager
    def watching(self):
        try:
            yield self
        except self.accept as exc:
            self.problems.append(exc)  # <- culprit

    def report(self):
        kinds = Counter(type(p).__name__ for p in self.problems)
        last = self.problems[-1] if self.problems else "-"
        return f"problems: {dict(kinds)}; last: {last}"
