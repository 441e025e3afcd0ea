class DeferredReporter:
    """Collects measurements so that formatting never slows the solver."""

    def __init__(self, fields):
        self.fields = fields
        self._queue = []

    def later(self, step, measure):
        self._queue.append((step, measure))  # <- culprit

    def flush(self):
        table = []
        for step, measure in self._queue:
            row = {"step": float(step)}
            row.update(zip(self.fields, measure()))
            table.append(row)
        self._queue.clear()
        return table
