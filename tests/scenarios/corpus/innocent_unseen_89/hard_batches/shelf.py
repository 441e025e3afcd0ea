import heapq
import itertools
from dataclasses import dataclass, field
from typing import Any


@dataclass(order=True)
class Entry:
    rank: float
    order: int
    it: int = field(compare=False)
    loss: Any = field(compare=False)
    logits: Any = field(compare=False)
    target: Any = field(compare=False)


class TopK:
    def __init__(self, k):
        self.k = k
        self.heap = []
        self._count = itertools.count()

    def push(self, rank, **what):
        entry = Entry(rank, next(self._count), **what)
        if len(self.heap) < self.k:
            heapq.heappush(self.heap, entry)
        else:
            heapq.heappushpop(self.heap, entry)

    def best_first(self):
        return sorted(self.heap, reverse=True)


class ExtremesShelf:
    def __init__(self, keep):
        self.hard = TopK(keep)
        self.easy = TopK(keep)

    def offer(self, it, loss, logits, target):
        value = loss.item()
        what = dict(it=it, loss=loss, logits=logits, target=target)
        self.hard.push(value, **what)
        self.easy.push(-value, **what)

    def hard_span(self):
        its = [e.it for e in self.hard.heap]
        return f"{min(its)}..{max(its)}"

    def summary(self):
        for name, top in (("hardest", self.hard), ("easiest", self.easy)):
            entries = top.best_first()
            wrong = [e.logits.argmax(1)[e.logits.argmax(1) != e.target] for e in entries]
            flat = [int(v) for w in wrong for v in w]
            most = max(set(flat), key=flat.count) if flat else None
            yield name, [e.it for e in entries], most
