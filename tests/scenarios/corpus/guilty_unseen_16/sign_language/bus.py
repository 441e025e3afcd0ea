"""A very small synchronous event bus."""
from collections import defaultdict


class EventBus:
    """Handlers are called in the order of subscription.

    What is published before anybody listens is delivered once the first handler subscribes, so the order in which
    components are built does not matter.
    """

    def __init__(self):
        self._handlers = defaultdict(list)
        self._unclaimed = defaultdict(list)

    def subscribe(self, topic, handler):
        self._handlers[topic].append(handler)
        for payload in self._unclaimed.pop(topic, ()):
            handler(**payload)
        return lambda: self._handlers[topic].remove(handler)

    def publish(self, topic, **payload):
        handlers = self._handlers.get(topic)
        if not handlers:
            self._unclaimed[topic].append(payload)  # <- culprit
            return 0
        for handler in tuple(handlers):
            handler(**payload)
        return len(handlers)
