import weakref
from collections import defaultdict, deque
from contextlib import contextmanager


class Bus:
    """now() calls at once; later() queues until the enclosing scope ends. Subscribers are held weakly."""

    def __init__(self):
        self._subs = defaultdict(list)
        self._queue = deque()

    def subscribe(self, topic, method):
        self._subs[topic].append(weakref.WeakMethod(method))

    def now(self, topic, **payload):
        for ref in self._subs[topic]:
            method = ref()
            if method is not None:
                method(**payload)

    def later(self, topic, **payload):
        self._queue.append((topic, payload))

    @contextmanager
    def scope(self):
        try:
            yield self
        finally:
            while self._queue:
                topic, payload = self._queue.popleft()
                self.now(topic, **payload)
