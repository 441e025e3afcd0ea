from collections import defaultdict, deque


class Bus:
    def __init__(self):
        self.handlers = defaultdict(list)
        self.recent = deque(maxlen=6)

    def on(self, topic):
        def add(fn):
            self.handlers[topic].append(fn)
            return fn

        return add

    def send(self, topic, **what):
        self.recent.append((topic, what))
        for fn in self.handlers[topic]:
            fn(**what)
