import weakref
from collections import defaultdict, deque


class ObserverHub:
    """Callables by topic; objects are held weakly, decorated functions strongly."""

    def __init__(self):
        self._strong = defaultdict(list)
        self._weak = defaultdict(weakref.WeakSet)

    def subscribe(self, topic, observer):
        self._weak[topic].add(observer)

    def on(self, topic):
        def register(fn):
            self._strong[topic].append(fn)
            return fn

        return register

    def publish(self, topic, *args):
        for observer in list(self._weak[topic]):
            observer(*args)
        for fn in self._strong[topic]:
            fn(*args)


class RollingLoss:
    def __init__(self, span):
        self.values = deque(maxlen=span)

    def __call__(self, update, loss, energy):
        self.values.append(loss)

    def mean(self):
        return sum(self.values) / max(len(self.values), 1)
