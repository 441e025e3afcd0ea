class Subscriber:
    topics = ()

    def attach(self, bus):
        for topic in self.topics:
            bus.on(topic, self.handle)
        return self

    def handle(self, event):
        raise NotImplementedError


class Journal(Subscriber):
    """Keeps the order of everything that happened in a run, for the post-mortem report."""

    def __init__(self, topics):
        self.topics = topics
        self.timeline = []

    def handle(self, event):
        self.timeline.append(event)  # <- culprit

    def count(self, topic):
        return sum(e.topic == topic for e in self.timeline)


class ProgressPrinter(Subscriber):
    topics = ("epoch",)

    def __init__(self, every):
        self.every = every

    def handle(self, event):
        if event.payload["index"] % self.every == 0:
            print(f"epoch {event.payload['index']} qlike {event.payload['mean']:.4f}")
