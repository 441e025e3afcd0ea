from collections import Counter


class CorruptBatch(RuntimeError):
    pass


class BatchGuard:
    """Lets training go on over batches that were refused."""

    def __init__(self):
        self.skipped = []

    def __enter__(self):
        return self

    def __exit__(self, kind, err, tb):
        if kind is not None and issubclass(kind, CorruptBatch):
            self.skipped.append(err)  # <- culprit
            return True
        return False

    def causes(self):
        return Counter(str(e).split(":")[0] for e in self.skipped)
