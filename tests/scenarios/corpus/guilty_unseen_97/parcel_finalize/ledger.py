import functools
import weakref


class Ledger:
    def __init__(self):
        self.closed = 0
        self.total = 0.0

    def close(self, uid, outcome):
        self.closed += 1
        self.total += float(outcome.detach())

    def mean(self):
        return self.total / max(self.closed, 1)


def booked(fn):
    """Books a fit's outcome in the ledger once its parcels are gone from the belt."""

    @functools.wraps(fn)
    def run(net, opt, parcels, ledger):
        outcome = fn(net, opt, parcels)
        closer = weakref.finalize(parcels, ledger.close, parcels.uid, outcome)  # <- culprit
        closer.atexit = False
        return outcome.item()

    return run
