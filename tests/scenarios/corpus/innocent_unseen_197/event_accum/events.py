import weakref
from collections import defaultdict, deque
from dataclasses import dataclass, field
from enum import Enum, auto


class Kind(Enum):
    MICRO = auto()
    UPDATE = auto()
    FINISH = auto()


@dataclass
class Event:
    kind: Kind
    step: int
    data: dict = field(default_factory=dict)


class Bus:
    def __init__(self):
        self.listeners = defaultdict(list)
        self.journal = deque(maxlen=64)

    def listen(self, kind):
        def register(fn):
            self.listeners[kind].append(fn)
            return fn

        return register

    def publish(self, event):
        self.journal.append(event)
        for fn in self.listeners[event.kind]:
            fn(event)


class Watchlist:
    def __init__(self):
        self.refs = []

    def add(self, tensor):
        self.refs = [r for r in self.refs if r() is not None]
        self.refs.append(weakref.ref(tensor))

    def alive(self):
        return sum(r() is not None for r in self.refs)
