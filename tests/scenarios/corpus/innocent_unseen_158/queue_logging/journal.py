import logging
import logging.handlers
import queue
import sys


class LineHandler(logging.Handler):
    def __init__(self, lines):
        super().__init__()
        self.lines = lines

    def emit(self, record):
        self.lines.append(self.format(record))


class Journal:
    """All lines in memory, the important ones on screen; both written by the listener."""

    def __init__(self, name):
        self.lines = []
        self.logger = logging.getLogger(name)
        self.logger.setLevel(logging.DEBUG)
        self.logger.propagate = False
        screen = logging.StreamHandler(sys.stdout)
        screen.setLevel(logging.INFO)
        box = queue.SimpleQueue()
        self.inlet = logging.handlers.QueueHandler(box)
        self.listener = logging.handlers.QueueListener(
            box, LineHandler(self.lines), screen, respect_handler_level=True)

    def __enter__(self):
        self.logger.addHandler(self.inlet)
        self.listener.start()
        return self

    def __exit__(self, *exc):
        self.logger.removeHandler(self.inlet)
        self.listener.stop()
        return False
