import functools
import heapq
import itertools


class Outbox:
    """Delivers what is urgent at once; the rest stays for the digest."""

    def __init__(self, min_level):
        self.min_level = min_level
        self._now = []
        self._later = []
        self._ticket = itertools.count()

    def post(self, level, func, *args):
        call = functools.partial(func, *args)  # <- culprit
        if level >= self.min_level:
            heapq.heappush(self._now, (-level, next(self._ticket), call))
        else:
            self._later.append(call)  # <- culprit

    def deliver(self):
        while self._now:
            heapq.heappop(self._now)[2]()

    def digest(self):
        pending, self._later = self._later, []
        for call in pending:
            call()
