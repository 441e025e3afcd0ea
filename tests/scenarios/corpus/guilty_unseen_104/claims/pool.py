import heapq
import itertools


class HardPool:
    """Keeps the `size` batches with the largest deviance."""

    def __init__(self, size=6):
        self.size = size
        self.heap = []
        self.tick = itertools.count()

    def offer(self, deviance):
        entry = (deviance.item(), next(self.tick), deviance)  # <- culprit
        if len(self.heap) < self.size:
            heapq.heappush(self.heap, entry)
        else:
            heapq.heappushpop(self.heap, entry)

    def drain(self):
        out = [d for _, _, d in heapq.nlargest(self.size, self.heap)]
        self.heap.clear()
        return sum(out) / len(out)  # <- culprit
