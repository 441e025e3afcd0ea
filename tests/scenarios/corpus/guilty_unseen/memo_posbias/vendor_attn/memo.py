import functools

_CACHE = {}


def memoize(fn):
    """Caches results by the identity of the object and the arguments."""

    @functools.wraps(fn)
    def wrapper(self, *args):
        key = (id(self), fn.__name__, getattr(self, "_version", 0), args)
        if key not in _CACHE:
            _CACHE[key] = fn(self, *args)  # <- culprit
        return _CACHE[key]

    return wrapper
