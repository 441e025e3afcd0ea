from collections import defaultdict


class EventBus:
    def __init__(self):
        self.handlers = defaultdict(list)
        self.pending = []

    def subscribe(self, topic, handler):
        self.handlers[topic].append(handler)

    def publish(self, topic, **payload):
        for handler in self.handlers[topic]:
            handler(**payload)

    def defer(self, job):
        self.pending.append(job)  # <- culprit

    def flush(self):
        results = [job() for job in self.pending]
        self.pending.clear()
        return results
