import logging
from logging.handlers import MemoryHandler


def build_logger(name="gcn", capacity=100000):
    stream = logging.StreamHandler()
    stream.setFormatter(logging.Formatter("%(name)s %(message)s"))
    stream.setLevel(logging.WARNING)
    buffered = MemoryHandler(capacity, flushLevel=logging.ERROR, target=stream, flushOnClose=False)
    logger = logging.getLogger(name)
    logger.setLevel(logging.DEBUG)
    logger.propagate = False
    logger.addHandler(buffered)
    return logger
