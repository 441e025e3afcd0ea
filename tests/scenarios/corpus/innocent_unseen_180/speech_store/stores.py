import abc


class Store(abc.ABC):
    """Keeps recent items of a run for diagnostics."""

    @abc.abstractmethod
    def put(self, item):
        ...

    @abc.abstractmethod
    def items(self):
        ...

    def tick(self):
        pass

    def __len__(self):
        return len(list(self.items()))


class RingStore(Store):
    def __init__(self, capacity):
        self._slots = [None] * capacity
        self._cursor = 0

    def put(self, item):
        self._slots[self._cursor] = item
        self._cursor = (self._cursor + 1) % len(self._slots)

    def items(self):
        n = len(self._slots)
        for k in range(n):
            item = self._slots[(self._cursor + k) % n]
            if item is not None:
                yield item


class TtlStore(Store):
    def __init__(self, ttl):
        self.ttl = ttl
        self.now = 0
        self._entries = {}
        self._serial = 0

    def put(self, item):
        self._entries[self._serial] = (self.now + self.ttl, item)
        self._serial += 1

    def tick(self):
        self.now += 1
        dead = [k for k, (due, _) in self._entries.items() if due <= self.now]
        for k in dead:
            del self._entries[k]

    def items(self):
        return (item for _, item in self._entries.values())


class Tee(Store):
    def __init__(self, *stores):
        self.stores = stores

    def put(self, item):
        for s in self.stores:
            s.put(item)

    def tick(self):
        for s in self.stores:
            s.tick()

    def items(self):
        return self.stores[0].items()
