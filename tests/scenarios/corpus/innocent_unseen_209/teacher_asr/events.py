from collections import defaultdict
from typing import Callable


class Bus:
    def __init__(self) -> None:
        self.listeners = defaultdict(list)

    def on(self, name: str, fn: Callable) -> None:
        self.listeners[name].append(fn)

    def emit(self, name: str, **payload) -> None:
        for fn in self.listeners[name]:
            fn(**payload)
