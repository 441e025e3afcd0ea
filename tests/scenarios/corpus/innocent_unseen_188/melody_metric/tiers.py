"""Embedding bundles kept in a small fast tier and a larger slow tier."""


class Bundle:
    def __init__(self, **tensors):
        self._t = tensors

    def __getattr__(self, name):
        try:
            return self.__dict__["_t"][name]
        except KeyError:
            raise AttributeError(name) from None

    def map(self, fn):
        return Bundle(**{k: fn(v) for k, v in self._t.items()})

    def detach(self):
        return self.map(lambda v: v.detach())


class TieredCache:
    def __init__(self, fast, slow):
        self.fast_size, self.slow_size = fast, slow
        self.fast, self.slow = {}, {}
        self.promotions = 0

    def put(self, key, bundle):
        self.slow.pop(key, None)
        self.fast.pop(key, None)
        self.fast[key] = bundle
        self._settle()

    def get(self, key):
        if key in self.fast:
            bundle = self.fast.pop(key)
            self.fast[key] = bundle
            return bundle
        if key in self.slow:
            bundle = self.slow.pop(key)
            self.promotions += 1
            self.fast[key] = bundle
            self._settle()
            return bundle
        return None

    def _settle(self):
        while len(self.fast) > self.fast_size:
            old = next(iter(self.fast))
            self.slow[old] = self.fast.pop(old)
        while len(self.slow) > self.slow_size:
            self.slow.pop(next(iter(self.slow)))
