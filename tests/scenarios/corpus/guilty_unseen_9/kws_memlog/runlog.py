import io
import logging
import logging.handlers
import sys

SPOOL = None


def open_log(name):
    """Console gets INFO; everything goes to a spool which is flushed into the run's text at the first error or at the end."""
    global SPOOL
    lg = logging.getLogger(name)
    lg.setLevel(logging.DEBUG)
    lg.propagate = False
    con = logging.StreamHandler(sys.stdout)
    con.setLevel(logging.INFO)
    con.setFormatter(logging.Formatter("%(name)s %(message)s"))
    lg.addHandler(con)
    sink = logging.StreamHandler(io.StringIO())
    SPOOL = logging.handlers.MemoryHandler(  # <- culprit
        capacity=1_000_000, flushLevel=logging.ERROR, target=sink, flushOnClose=True)
    lg.addHandler(SPOOL)
    return lg, SPOOL
