from collections import defaultdict
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True)
class Moment:
    index: int
    score: Any
    level: float


class Bus:
    def __init__(self):
        self._subs = defaultdict(list)

    def on(self, topic, fn):
        self._subs[topic].append(fn)

    def emit(self, topic, payload):
        for fn in self._subs[topic]:
            fn(payload)
