from collections import OrderedDict


class LRU:
    def __init__(self, capacity):
        self.capacity = capacity
        self.store = OrderedDict()
        self.evicted = 0

    def __len__(self):
        return len(self.store)

    def get(self, key):
        if key not in self.store:
            return None
        self.store.move_to_end(key)
        return self.store[key]

    def put(self, key, value):
        self.store[key] = value
        self.store.move_to_end(key)
        while len(self.store) > self.capacity:
            self.store.popitem(last=False)
            self.evicted += 1

    def peek(self, n):
        return list(self.store.items())[-n:]
