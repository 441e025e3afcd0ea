class LazySink:
    """Collects scalars as thunks, so that no step waits for a number; formats them when flushed."""

    def __init__(self, limit=2000):
        self.limit = limit
        self.pending = []
        self.lines = []

    def scalar(self, tag, step, value):
        self.pending.append(lambda v=value: f"{tag}\t{step}\t{float(v):.5f}")  # <- culprit
        if len(self.pending) >= self.limit:
            self.flush()

    def flush(self):
        self.lines.extend(make() for make in self.pending)
        self.pending.clear()
        return self.lines


SINK = LazySink()
