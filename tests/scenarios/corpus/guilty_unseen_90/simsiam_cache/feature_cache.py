class FeatureCache:
    """Runs the backbone once per view, however many heads ask for it."""

    def __init__(self, fn):
        self.fn = fn
        self._store = {}
        self.hits = self.misses = 0

    def __call__(self, view):
        if view in self._store:
            self.hits += 1
        else:
            self.misses += 1
            self._store[view] = self.fn(view)  # <- culprit
        return self._store[view]
