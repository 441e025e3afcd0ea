"""What to do when an integration of the learned system goes astray."""
import time
from collections import Counter
from contextlib import contextmanager


class Astray(ArithmeticError):
    def __init__(self, kind, amount):
        super().__init__(f"{kind}: {amount:.3g}")
        self.kind, self.amount = kind, amount


class Incidents:
    """Remembers every integration that was turned down, for the closing report."""

    def __init__(self):
        self.entries = []
        self.started = time.monotonic()

    def note(self, stride, problem):
        self.entries.append((stride, problem))  # <- culprit

    def __len__(self):
        return len(self.entries)

    def report(self):
        by_kind = Counter((p.kind, s) for s, p in self.entries)
        for (kind, stride), many in by_kind.most_common():
            yield f"{many:4d} x {kind} at stride {stride:.3f}"


class Guard:
    def __init__(self, strides, incidents):
        self.strides = strides
        self.incidents = incidents

    @contextmanager
    def watching(self, stride):
        try:
            yield
        except Astray as problem:
            if stride == self.strides[-1]:
                raise
            self.incidents.note(stride, problem)

    def first_good(self, attempt):
        """Try the strides from coarse to fine, return the first answer that is not astray."""
        for stride in self.strides:
            with self.watching(stride):
                return attempt(stride)
