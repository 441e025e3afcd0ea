from collections import defaultdict

from events import StepDone


class EventBus:
    """Synchronous dispatch. Every event that someone listens to is kept for later inspection."""

    def __init__(self):
        self._subs = defaultdict(list)
        self._journal = []

    @property
    def journal(self):
        return tuple(self._journal)

    def subscribe(self, kind, fn):
        self._subs[kind].append(fn)

    def publish(self, event):
        listeners = self._subs.get(type(event), ())
        if listeners:
            self._journal.append(event)  # <- culprit
        for fn in listeners:
            fn(event)

    def steps(self):
        return (e for e in self._journal if isinstance(e, StepDone))
