from collections import OrderedDict


class PhantomCache:
    def __init__(self, produce, capacity):
        self.produce = produce
        self.capacity = capacity
        self.entries = OrderedDict()
        self.hits = self.misses = 0

    def get(self, seed, count):
        key = (seed, count)
        if key in self.entries:
            self.hits += 1
            self.entries.move_to_end(key)
            return self.entries[key]
        self.misses += 1
        value = self.entries[key] = self.produce(seed, count)
        while len(self.entries) > self.capacity:
            self.entries.popitem(last=False)
        return value
