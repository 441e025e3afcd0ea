import heapq
import itertools


class Smoothed:
    def __init__(self, momentum):
        self.momentum, self.value = momentum, None

    def __iadd__(self, x):
        self.value = x if self.value is None else self.momentum * self.value + (1 - self.momentum) * x
        return self


class HardKeyLog:
    """A heap of the `keep` keys with the smallest margins over the bank, ever."""

    def __init__(self, keep):
        self.keep = keep
        self.heap = []
        self.order = itertools.count()

    def consider(self, it, logits, keys):
        margins = logits[:, 0] - logits[:, 1:].max(1).values
        i = int(margins.argmin())
        entry = (-margins[i].item(), next(self.order), it, keys[i].clone())
        if len(self.heap) < self.keep:
            heapq.heappush(self.heap, entry)
        else:
            heapq.heappushpop(self.heap, entry)

    def worst(self):
        return -max(self.heap)[0]
