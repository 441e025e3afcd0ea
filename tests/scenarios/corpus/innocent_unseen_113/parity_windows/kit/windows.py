from collections import deque


class Windows:
    def __init__(self, keep):
        self.keep = keep
        self.store = {}
        self.prefix = ""

    def open(self, prefix):
        self.prefix = prefix
        return self

    def put(self, group, value):
        self.store.setdefault(f"{self.prefix}/{group}", deque(maxlen=self.keep)).append(value)

    def mean(self, group, prefix=None):
        w = self.store.get(f"{self.prefix if prefix is None else prefix}/{group}", ())
        return sum(float(v.detach()) for v in w) / len(w) if w else float("nan")
