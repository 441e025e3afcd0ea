"""Generational handles: (index, generation) packed in one int, as in the C++ original."""
from dataclasses import dataclass
from typing import Any

INDEX_BITS = 20
INDEX_MASK = (1 << INDEX_BITS) - 1


@dataclass
class Slot:
    generation: int = 0
    object: Any = None
    live: bool = False


class HandlePool:
    def __init__(self, initial):
        self._slots = [Slot() for _ in range(initial)]
        self._free = list(range(initial))[::-1]

    def acquire(self, obj):
        if not self._free:
            self._grow()
        index = self._free.pop()
        slot = self._slots[index]
        slot.generation += 1
        slot.object, slot.live = obj, True
        return (slot.generation << INDEX_BITS) | index

    def deref(self, handle):
        slot = self._slots[handle & INDEX_MASK]
        if not slot.live or slot.generation != handle >> INDEX_BITS:
            raise KeyError(f"stale handle {handle:#x}")
        return slot.object

    def release(self, handle):
        self.deref(handle)
        index = handle & INDEX_MASK
        slot = self._slots[index]
        slot.object, slot.live = None, False
        self._free.append(index)

    def _grow(self):
        start = len(self._slots)
        self._slots.extend(Slot() for _ in range(start))
        self._free.extend(range(2 * start - 1, start - 1, -1))
