import functools
import weakref


class memoized:
    """A per-instance lru_cache for methods that does not keep the instance alive."""

    def __init__(self, maxsize):
        self.maxsize = maxsize

    def __call__(self, method):
        self.method = method
        return self

    def __set_name__(self, owner, name):
        self.caches = weakref.WeakKeyDictionary()

    def __get__(self, obj, owner=None):
        if obj is None:
            return self
        if obj not in self.caches:
            ref = weakref.ref(obj)
            self.caches[obj] = functools.lru_cache(self.maxsize)(lambda *a: self.method(ref(), *a))  # <- culprit
        return self.caches[obj]
