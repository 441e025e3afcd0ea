from collections import OrderedDict


class FeatureCache:
    """LRU of computed features."""

    def __init__(self, capacity):
        self.capacity = capacity
        self._entries = OrderedDict()
        self.hits = 0

    def get_or_compute(self, key, fn):
        if key in self._entries:
            self.hits += 1
            self._entries.move_to_end(key)
            return self._entries[key]  # <- culprit
        value = fn()
        self._entries[key] = value  # <- culprit
        if len(self._entries) > self.capacity:
            self._entries.popitem(last=False)
        return value
