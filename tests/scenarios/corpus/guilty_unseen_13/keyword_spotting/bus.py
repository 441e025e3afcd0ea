"""A small synchronous event bus. Late subscribers may ask for a replay of what they missed."""
from collections import defaultdict
from dataclasses import dataclass, field


@dataclass
class Event:
    topic: str
    step: int
    payload: dict = field(default_factory=dict)

    def __getattr__(self, key):
        try:
            return self.__dict__["payload"][key]
        except KeyError:
            raise AttributeError(key) from None


class EventBus:
    def __init__(self):
        self._handlers = defaultdict(list)
        self.journal = []

    def subscribe(self, topic, handler, replay=False):
        self._handlers[topic].append(handler)
        if replay:
            for event in self.journal:
                if event.topic == topic:
                    handler(event)

    def emit(self, topic, step, **payload):
        event = Event(topic, step, payload)
        self.journal.append(event)  # <- culprit
        for handler in self._handlers[topic]:
            handler(event)

    def count(self, topic):
        return sum(e.topic == topic for e in self.journal)
