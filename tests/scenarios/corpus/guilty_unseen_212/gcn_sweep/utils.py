import functools


def memoize_by_input(attr):
    """Full-graph training sees the same tensors each epoch, so keep the result per input."""

    def deco(fn):
        @functools.wraps(fn)
        def wrapper(self, *tensors):
            store = self.__dict__.setdefault(attr, {})
            key = tuple((id(t), tuple(t.shape)) for t in tensors)
            if key not in store:
                store[key] = fn(self, *tensors)  # <- culprit
            return store[key]  # <- culprit
        return wrapper
    return deco
