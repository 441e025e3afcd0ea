"""Training meters over the latest few batches."""
from collections import UserList

import torch


class Latest(UserList):
    """A list that keeps its newest `span` items."""

    def __init__(self, span, items=()):
        super().__init__(items)
        self.span = span

    def append(self, item):
        super().append(item)
        if len(self.data) > self.span:
            del self.data[:-self.span]

    def tail(self, n):
        return self.data[-n:]


class Meter:
    def __init__(self, names, span=20):
        self.names = tuple(names)
        self.margins = Latest(span)
        self.scalars = {name: Latest(span) for name in self.names}

    def update(self, margin, **scalars):
        self.margins += [margin]  # <- culprit
        for name, value in scalars.items():
            self.scalars[name].append(value)

    def mean(self, name):
        values = self.scalars[name]
        return sum(values) / len(values)

    def margin_range(self):
        with torch.no_grad():
            flat = torch.cat([m.flatten() for m in self.margins.tail(10)])
            return flat.min().item(), flat.max().item()
