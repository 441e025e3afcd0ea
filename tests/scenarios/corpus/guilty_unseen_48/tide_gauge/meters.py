REGISTRY = {}


def meter(name):
    def deco(cls):
        REGISTRY[name] = cls
        return cls
    return deco


class Meter:
    def __init__(self):
        self.reset()

    def reset(self):
        raise NotImplementedError

    def add(self, value, n):
        raise NotImplementedError


@meter("mean")
class Mean(Meter):
    def reset(self):
        self.total = 0.0
        self.count = 0

    def add(self, value, n):
        self.total += value * n  # <- culprit
        self.count += n

    @property
    def value(self):
        return float(self.total / max(self.count, 1))


@meter("peak")
class Peak(Meter):
    def reset(self):
        self.value = float("-inf")

    def add(self, value, n):
        self.value = max(self.value, value)


class MeterBook:
    def __init__(self, **kinds):
        self._meters = {name: REGISTRY[kind]() for name, kind in kinds.items()}

    def update(self, n, **values):
        for name, value in values.items():
            self._meters[name].add(value, n)

    def reset(self):
        for m in self._meters.values():
            m.reset()

    def __str__(self):
        return "  ".join(f"{k} {m.value:.4f}" for k, m in self._meters.items())
