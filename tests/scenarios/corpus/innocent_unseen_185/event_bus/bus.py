import itertools
from collections import defaultdict


class Bus:
    def __init__(self):
        self._subs = defaultdict(dict)
        self._ids = itertools.count()

    def on(self, topic, fn):
        token = next(self._ids)
        self._subs[topic][token] = fn
        return lambda: self._subs[topic].pop(token, None)

    def emit(self, topic, *args):
        for fn in list(self._subs[topic].values()):
            fn(*args)

    def listeners(self, topic):
        return len(self._subs[topic])


def compare_later(bus, step, logits, horizon, sink):
    """Listens for `horizon` further predictions on the probe set, then leaves."""
    left = [horizon]

    def hear(other):
        left[0] -= 1
        if left[0] == 0:
            flips = (other.argmax(-1) != logits.argmax(-1)).float().mean().item()
            sink[step % 50] = flips
            off()

    off = bus.on("probe", hear)
