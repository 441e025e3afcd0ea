class Memo:
    """Method decorator: computes once for each key (the first argument), for each owner."""

    def __init__(self, fn):
        self.fn = fn
        self.name = fn.__name__

    def __set_name__(self, owner, name):
        self.name = name

    def __get__(self, obj, owner=None):
        if obj is None:
            return self
        bound = _Bound(self.fn, obj)
        obj.__dict__[self.name] = bound
        return bound


class _Bound:
    def __init__(self, fn, obj):
        self._fn, self._obj = fn, obj
        self._known = {}

    def __call__(self, key, *rest):
        cached = self._known.get(key)
        if cached is None:
            cached = self._known[key] = self._fn(self._obj, key, *rest)  # <- culprit
        return cached  # <- culprit

    def forget(self):
        self._known.clear()
