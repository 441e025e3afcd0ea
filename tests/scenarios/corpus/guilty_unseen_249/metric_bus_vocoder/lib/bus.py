from collections import defaultdict


class EventBus:
    def __init__(self):
        self._handlers = defaultdict(list)

    def on(self, topic, handler):
        self._handlers[topic].append(handler)

    def emit(self, topic, **payload):
        for handler in self._handlers[topic]:
            handler(**payload)
