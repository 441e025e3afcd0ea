from typing import Dict, List

from recsys.events import Event, EventBus


class Plugin:
    topics: List[str] = []

    def attach(self, bus: EventBus):
        for topic in self.topics:
            bus.subscribe(topic, self.handle)

    def handle(self, event: Event):
        raise NotImplementedError


class ProgressPrinter(Plugin):
    topics = ["batch_end"]

    def __init__(self, every):
        self.every = every

    def handle(self, event):
        if event.step % self.every == 0:
            print(f"step {event.step:4d} bpr {float(event.payload['loss'].detach()):.4f}")


class CurveRecorder(Plugin):
    topics = ["batch_end"]

    def __init__(self):
        self.curves: Dict[str, list] = {}

    def handle(self, event):
        for name, value in event.payload.items():
            self.curves.setdefault(name, []).append(value)  # <- culprit

    def summary(self):
        return {name: (sum(v[-10:]) / 10).item() for name, v in self.curves.items()}
