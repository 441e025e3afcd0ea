from collections import defaultdict


class Bus:
    def __init__(self):
        self._subs = defaultdict(list)

    def on(self, topic, fn):
        self._subs[topic].append(fn)

    def emit(self, topic, **payload):
        for fn in self._subs[topic]:
            fn(**payload)


class Plugin:
    """Subscribes every method called on_<topic>."""

    def attach(self, bus):
        for name in dir(self):
            if name.startswith("on_"):
                bus.on(name[3:], getattr(self, name))
