import contextlib
import logging
import logging.handlers
import sys


def open_log(name):
    handler = logging.handlers.MemoryHandler(capacity=100_000, flushLevel=60)  # <- culprit
    log = logging.getLogger(name)
    log.setLevel(logging.DEBUG)
    log.propagate = False
    log.addHandler(handler)
    return log


@contextlib.contextmanager
def shown_on_failure(log):
    """Records stay in memory; they are written only when the run fails."""
    try:
        yield
    except Exception:
        screen = logging.StreamHandler(sys.stderr)
        screen.setFormatter(logging.Formatter("%(asctime)s %(name)s %(message)s"))
        for handler in log.handlers:
            handler.setTarget(screen)
            handler.flush()
        raise
