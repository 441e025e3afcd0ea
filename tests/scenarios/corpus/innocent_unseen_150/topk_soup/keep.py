import copy
import heapq

import torch


class BestCheckpoints:
    def __init__(self, k):
        self.k = k
        self.heap = []

    def offer(self, value, step, model):
        item = (-value, -step, copy.deepcopy(model.state_dict()))
        if len(self.heap) < self.k:
            heapq.heappush(self.heap, item)
        else:
            heapq.heappushpop(self.heap, item)

    def sorted(self):
        return sorted(((-v, -s, sd) for v, s, sd in self.heap), key=lambda t: t[0])

    def soup(self):
        states = [sd for _, _, sd in self.heap]
        return {k: torch.stack([s[k] for s in states]).mean(0) for k in states[0]}
