import logging


class KeepHandler(logging.Handler):
    """Keeps the records of the run so that the summary can be printed last."""

    def __init__(self, level=logging.INFO):
        super().__init__(level)
        self.records = []
        self.setFormatter(logging.Formatter("%(name)s | %(message)s"))

    def emit(self, record):
        self.records.append(record)  # <- culprit

    def lines(self, every=1):
        return [self.format(r) for r in self.records[::every]]
