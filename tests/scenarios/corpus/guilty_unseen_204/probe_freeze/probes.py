def every(n, i):
    return i > 0 and i % n == 0


class Probe:
    def __init__(self):
        self.series = []

    def measure(self, model, x):
        raise NotImplementedError

    def __call__(self, i, model, x):
        value = self.measure(model, x)
        self.series.append((i, value))
        return value
