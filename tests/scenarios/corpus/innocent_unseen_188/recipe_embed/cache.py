from collections import OrderedDict


class CuisineCache:
    def __init__(self, maxsize):
        self.maxsize = maxsize
        self._store = OrderedDict()
        self.hits = self.misses = 0

    def get(self, key):
        if key in self._store:
            self.hits += 1
            self._store.move_to_end(key)
            return self._store[key]
        self.misses += 1
        return None

    def put(self, key, value):
        self._store[key] = value
        self._store.move_to_end(key)
        while len(self._store) > self.maxsize:
            self._store.popitem(last=False)

    def __len__(self):
        return len(self._store)
