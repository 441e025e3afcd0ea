from contextlib import contextmanager


class PhaseCache:
    def __init__(self):
        self._store = {}
        self.hits = self.misses = 0

    def get(self, key, build):
        if key in self._store:
            self.hits += 1
        else:
            self.misses += 1
            self._store[key] = build()
        return self._store[key]

    def clear(self):
        self._store.clear()


@contextmanager
def phase(cache):
    try:
        yield cache
    finally:
        cache.clear()
