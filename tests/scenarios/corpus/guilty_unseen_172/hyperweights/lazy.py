"""Attributes computed on first use and dropped when their owner is told so."""


class lazy:
    def __init__(self, fn):
        self.fn = fn

    def __set_name__(self, owner, name):
        self.name = name

    def __get__(self, obj, owner=None):
        if obj is None:
            return self
        cache = obj.__dict__.setdefault("_lazy", {})
        if self.name not in cache:
            cache[self.name] = self.fn(obj)  # <- culprit
        return cache[self.name]


class Lazy:
    def forget(self, *names):
        cache = self.__dict__.setdefault("_lazy", {})
        for n in names or list(cache):
            cache.pop(n, None)
