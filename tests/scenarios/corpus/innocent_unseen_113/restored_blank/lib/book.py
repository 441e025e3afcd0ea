import copy
from contextlib import contextmanager


class Column:
    def __init__(self):
        self.cells = []
        self.running = 0.0

    def add(self, v):
        self.cells.append(v)
        self.running = 0.9 * self.running + 0.1 * v

    def mean(self):
        return sum(c.item() for c in self.cells) / len(self.cells)


class Book:
    def __init__(self, *names):
        self.columns = {n: Column() for n in names}
        self.index = []
        self._note = {}

    def write(self, **terms):
        for name, v in terms.items():
            self.columns[name].add(v)

    def close_with(self, **note):
        self._note = note

    @contextmanager
    def page(self, title):
        blank = copy.deepcopy(self.__dict__ | {"index": None})
        try:
            yield self
        finally:
            line = {"title": title, **{n: round(c.mean(), 4) for n, c in self.columns.items()}, **self._note}
            blank["index"] = self.index + [line]
            self.__dict__ = blank
