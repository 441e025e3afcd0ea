from collections import deque


class Smooth:
    def __init__(self, n=20):
        self.values = {}
        self.n = n

    def push(self, **kw):
        for k, v in kw.items():
            self.values.setdefault(k, deque(maxlen=self.n)).append(float(v))

    def __str__(self):
        return "  ".join(f"{k} {sum(q) / len(q):+.3f}" for k, q in self.values.items())
