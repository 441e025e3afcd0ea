from collections import deque


class Window:
    def __init__(self, size):
        self.values = deque(maxlen=size)

    def add(self, tensor):
        self.values.append(tensor.detach())

    def mean(self):
        return sum(v.item() for v in self.values) / max(1, len(self.values))


class Total:
    """Sum over the whole run, kept as a tensor so that we need not wait for the device."""

    def __init__(self):
        self.sum = 0.0
        self.n = 0

    def add(self, tensor):
        self.sum = self.sum + tensor.detach()
        self.n += 1

    def mean(self):
        return float(self.sum) / max(1, self.n)
