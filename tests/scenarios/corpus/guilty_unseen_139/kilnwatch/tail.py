import logging


class TailHandler(logging.Handler):
    """Keeps what was logged, and formats the last few lines when somebody asks."""

    def __init__(self, show=5, level=logging.INFO):
        super().__init__(level)
        self.show = show
        self.records: list[logging.LogRecord] = []
        self.setFormatter(logging.Formatter("%(name)s %(message)s"))

    def emit(self, record):
        self.records.append(record)  # <- culprit

    def lines(self):
        return [self.format(r) for r in self.records[-self.show:]]
