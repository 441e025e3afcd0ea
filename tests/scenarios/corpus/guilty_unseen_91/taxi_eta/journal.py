class Journal:
    """Collects records lazily: formatting floats in the hot loop is slow."""

    def __init__(self, name):
        self.name = name
        self._pending = []
        self._rows = []

    def defer(self, make_row):
        self._pending.append(make_row)  # <- culprit

    def flush(self):
        while self._pending:
            self._rows.append(self._pending.pop(0)())
        return self._rows

    def summary(self, tail=50):
        rows = self.flush()[-tail:]
        keys = [k for k in rows[0] if k != "step"]
        return {k: sum(r[k] for r in rows) / len(rows) for k in keys}
