import logging


class RecordHandler(logging.Handler):
    """Keeps the records of a run so that a report can be rendered at the end."""

    def __init__(self, level=logging.DEBUG):
        super().__init__(level)
        self.records = []

    def emit(self, record):
        self.records.append(record)  # <- culprit

    def tail(self, n=5):
        return [self.format(r) for r in self.records[-n:]]


def get_logger(name):
    logger = logging.getLogger(name)
    logger.setLevel(logging.DEBUG)
    logger.propagate = False
    handler = RecordHandler()
    handler.setFormatter(logging.Formatter("[%(levelname)s] %(message)s"))
    logger.addHandler(handler)
    return logger, handler
