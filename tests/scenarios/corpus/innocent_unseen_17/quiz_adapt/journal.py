import heapq
from collections import defaultdict

import torch


class Journal:
    def __init__(self):
        self.columns = defaultdict(list)

    def write(self, **values):
        for name, value in values.items():
            if isinstance(value, torch.Tensor):
                value = value.item()
            self.columns[name].append(value)

    def line(self, last):
        tails = {name: column[-last:] for name, column in self.columns.items()}
        return "  ".join(f"{name} {sum(tail) / len(tail):.4f}" for name, tail in tails.items())


class HardestClasses:
    """The few classrooms with the largest query loss so far, with their data, to look at afterwards."""

    def __init__(self, keep):
        self.keep = keep
        self.heap = []

    def offer(self, loss, room):
        entry = (loss.item(), room.number, room)
        if len(self.heap) < self.keep:
            heapq.heappush(self.heap, entry)
        else:
            heapq.heappushpop(self.heap, entry)

    def describe(self):
        return [f"#{number} ({loss:.2f})" for loss, number, _ in sorted(self.heap, reverse=True)]
