from collections import defaultdict


class Bus:
    def __init__(self):
        self.handlers = defaultdict(list)

    def on(self, topic, handler):
        self.handlers[topic].append(handler)

    def emit(self, topic, **payload):
        for handler in self.handlers[topic]:
            handler(payload)


class Ledger:
    """Buffers events and folds them into a total now and then."""

    def __init__(self, bus, flush_every):
        self.events = []
        self.totals = []
        self.flush_every = flush_every
        bus.on("micro", self.record)

    def record(self, payload):
        self.events.append(payload)
        if len(self.events) == self.flush_every:
            self.flush()

    def flush(self):
        self.totals.append(sum(e["loss"].item() for e in self.events) / len(self.events))
        self.events = []
