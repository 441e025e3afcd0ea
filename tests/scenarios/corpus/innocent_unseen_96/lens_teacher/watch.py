import weakref


class Peek:
    """Forward hook that remembers activations only as long as somebody else does."""

    def __init__(self):
        self.live = weakref.WeakValueDictionary()
        self.count = 0

    def __call__(self, module, args, output):
        self.live[self.count] = output
        self.count += 1

    def __len__(self):
        return len(self.live)

    def largest(self):
        return max((t.detach().abs().max().item() for t in list(self.live.values())), default=0.0)


class Tolerate:
    def __init__(self, *kinds):
        self.kinds, self.seen = kinds, []

    def __enter__(self):
        return self

    def __exit__(self, kind, exc, tb):
        if kind is None or not issubclass(kind, self.kinds):
            return False
        self.seen.append(exc.with_traceback(None))
        return True
