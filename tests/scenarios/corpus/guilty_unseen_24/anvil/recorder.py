import logging
import logging.handlers
import sys


def install_recorder(capacity=100_000):
    """Flight recorder: debug records stay in memory and are dumped only if something goes wrong."""
    stream = logging.StreamHandler(sys.stderr)
    stream.setFormatter(logging.Formatter("%(asctime)s %(name)s %(message)s"))
    recorder = logging.handlers.MemoryHandler(
        capacity, flushLevel=logging.ERROR, target=stream, flushOnClose=False)
    log = logging.getLogger("anvil")
    log.setLevel(logging.DEBUG)
    log.propagate = False
    log.addHandler(recorder)
    return recorder
