from collections import defaultdict


class EventBus:
    def __init__(self):
        self._listeners = defaultdict(list)

    def on(self, name, fn):
        self._listeners[name].append(fn)
        return fn

    def emit(self, name, **payload):
        for fn in self._listeners[name]:
            fn(**payload)
