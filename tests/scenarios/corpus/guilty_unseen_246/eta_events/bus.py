from collections import defaultdict


class EventBus:
    def __init__(self):
        self._listeners = defaultdict(list)
        self.delivered = 0

    def subscribe(self, topic, listener):
        self._listeners[topic].append(listener)

    def publish(self, topic, **payload):
        for listener in self._listeners[topic]:
            listener(**payload)
            self.delivered += 1
