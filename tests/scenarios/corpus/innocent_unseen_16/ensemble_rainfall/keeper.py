import copy
import heapq


class BestStates:
    """The `keep` best states seen, held in memory."""

    def __init__(self, keep):
        self.keep = keep
        self.heap = []

    def offer(self, score, it, model):
        entry = (-score, it)
        if len(self.heap) == self.keep and entry <= self.heap[0][:2]:
            return
        heapq.heappush(self.heap, (*entry, copy.deepcopy(model.state_dict())))
        if len(self.heap) > self.keep:
            heapq.heappop(self.heap)

    def average(self):
        states = [s for _, _, s in self.heap]
        return {k: sum(s[k] for s in states) / len(states) for k in states[0]}

    def describe(self):
        return ", ".join(f"{-s:.4f}@{it}" for s, it, _ in sorted(self.heap, key=lambda e: -e[0]))
