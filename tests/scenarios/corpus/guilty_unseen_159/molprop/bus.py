from collections import defaultdict
from functools import partial


class Bus:
    """Events with handlers; a handler marked `late` runs when the bus is flushed."""

    def __init__(self):
        self._subs = defaultdict(list)
        self._later = []

    def on(self, topic, fn, late=False):
        self._subs[topic].append((fn, late))
        return fn

    def emit(self, topic, **kw):
        for fn, late in self._subs[topic]:
            if late:
                self._later.append(partial(fn, **kw))  # <- culprit
            else:
                fn(**kw)

    def flush(self):
        out, self._later = [p() for p in self._later], []
        return out[-3:]
