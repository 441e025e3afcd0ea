from collections import deque


class Callbacks:
    def __init__(self, items):
        self.items = list(items)
        self.current = None

    def fire(self, state):
        self.current = state
        for item in self.items:
            item(state)


class Curve:
    def __init__(self, window):
        self.loss, self.acc = deque(maxlen=window), deque(maxlen=window)

    def __call__(self, s):
        self.loss.append(s["loss"].item())
        self.acc.append(s["acc"].item())

    def text(self):
        n = len(self.loss)
        return f"loss {sum(self.loss) / n:.4f} acc {sum(self.acc) / n:.3f}"


class Every:
    def __init__(self, n, fn):
        self.n, self.fn = n, fn

    def __call__(self, s):
        if s["step"] % self.n == 0:
            self.fn(s)
