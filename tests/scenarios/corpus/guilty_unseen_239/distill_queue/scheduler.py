import heapq
import itertools
from typing import Callable


class TickScheduler:
    """Cooperative scheduler: jobs are kept with the tick they become due at."""

    def __init__(self):
        self.now = 0
        self._order = itertools.count()
        self._jobs = []

    def at(self, tick: int, job: Callable[[], None]):
        heapq.heappush(self._jobs, (tick, next(self._order), job))

    def tick(self):
        self.now += 1
        while self._jobs and self._jobs[0][0] <= self.now:
            _, _, job = heapq.heappop(self._jobs)
            job()

    def drain(self):
        while self._jobs:
            heapq.heappop(self._jobs)[2]()
