import heapq
import itertools

import torch


class HardestPatches:
    """A min-heap with at most `size` costs; the smallest falls out when a larger one comes."""

    def __init__(self, size):
        self.size = size
        self.heap = []
        self._order = itertools.count()

    def begin(self):
        self.heap.clear()

    def offer(self, cost):
        entry = (cost.item(), next(self._order), cost)
        if len(self.heap) < self.size:
            heapq.heappush(self.heap, entry)
        else:
            heapq.heappushpop(self.heap, entry)

    def offer_all(self, costs):
        for cost in costs:
            self.offer(cost)

    def mean(self):
        return torch.stack([cost for _, _, cost in self.heap]).mean()
