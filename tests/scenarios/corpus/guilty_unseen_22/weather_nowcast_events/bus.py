from collections import defaultdict
from dataclasses import dataclass, field


@dataclass(frozen=True)
class Event:
    topic: str
    data: dict = field(default_factory=dict)

    def __getattr__(self, name):
        try:
            return self.data[name]
        except KeyError:
            raise AttributeError(name) from None


class EventBus:
    """Synchronous publish/subscribe; handlers run in the order of their priority."""

    def __init__(self):
        self._handlers = defaultdict(list)

    def subscribe(self, topic, handler, priority=0):
        self._handlers[topic].append((priority, handler))
        self._handlers[topic].sort(key=lambda pair: -pair[0])

    def publish(self, topic, **data):
        event = Event(topic, data)
        for _, handler in self._handlers[topic]:
            handler(event)
