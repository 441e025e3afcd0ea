from collections import defaultdict


class MemoryBackend:
    """Collects events, writes them all on flush()."""

    def __init__(self):
        self._pending = []

    def write(self, tag, value, step):
        self._pending.append((tag, step, value))  # <- culprit

    def flush(self):
        series = defaultdict(list)
        for tag, step, value in self._pending:
            series[tag].append((step, value))
        self._pending.clear()
        return series
