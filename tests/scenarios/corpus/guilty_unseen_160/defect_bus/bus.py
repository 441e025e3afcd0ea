from collections import defaultdict


class EventBus:
    """Topics and the callables that listen to them."""

    def __init__(self):
        self.handlers = defaultdict(list)

    def subscribe(self, topic, handler):
        self.handlers[topic].append(handler)  # <- culprit
        return handler

    def unsubscribe(self, topic, handler):
        if handler in self.handlers[topic]:
            self.handlers[topic].remove(handler)

    def publish(self, topic, **payload):
        for handler in list(self.handlers[topic]):
            handler(**payload)
