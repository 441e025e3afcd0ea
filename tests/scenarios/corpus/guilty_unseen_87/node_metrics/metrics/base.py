class Metric:
    """Updates are cheap: the arithmetic is put off until somebody asks for the value."""

    def __init__(self):
        self._pending = []

    def defer(self, fn):
        self._pending.append(fn)  # <- culprit

    def update(self, value):
        raise NotImplementedError

    def compute(self):
        values = [fn() for fn in self._pending]
        self._pending.clear()
        return sum(values) / max(len(values), 1)
