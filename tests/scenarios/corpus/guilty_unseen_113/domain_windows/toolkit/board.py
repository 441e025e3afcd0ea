from collections import defaultdict, deque
from functools import partial


class LossBoard:
    """The last few losses of each group, for the table in the console."""

    def __init__(self, keep=4):
        self.keep = keep
        self._windows = defaultdict(partial(deque, maxlen=keep))
        self._prefix = ""

    def open(self, prefix):
        """Name everything that comes from here on ``prefix/...``."""
        self._prefix = prefix

    def put(self, group, value):
        key = f"{self._prefix}/{group}"  # <- culprit
        self._windows[key].append(value)  # <- culprit

    def row(self, group):
        w = self._windows[f"{self._prefix}/{group}"]
        return sum(float(v.detach()) for v in w) / max(len(w), 1)
