"""Registry of loss terms and the book-keeping around them."""


class _Register(dict):
    known = property(lambda self: tuple(self))

    def __call__(self, name, meter="scalar"):
        def deco(fn):
            self[name] = (fn, meter)
            return fn
        return deco


register = _Register()


class Meter:
    def __init__(self):
        self.total, self.count = 0.0, 0

    def convert(self, value):
        return value.item()

    def add(self, value):
        self.total = self.total + self.convert(value)  # <- culprit
        self.count += 1

    @property
    def mean(self):
        return self.total / max(1, self.count)


class VectorMeter(Meter):
    """Keeps one entry per query slot, for the per-slot breakdown."""

    def convert(self, value):
        return value.flatten()  # <- culprit

    def __format__(self, spec):
        if not self.count:
            return "-"
        return f"{self.mean.min():{spec}}..{self.mean.max():{spec}}"


METER_TYPES = {"scalar": Meter, "vector": VectorMeter}


class LossBook:
    def __init__(self, weights):
        self.weights = weights
        self.meters = {n: METER_TYPES[register[n][1]]() for n in weights}

    def __call__(self, active, **ctx):
        out = 0.0
        for name in active:
            value = register[name][0](**ctx)
            self.meters[name].add(value)  # <- culprit
            out = out + self.weights[name] * value.mean()
        return out

    def line(self):
        parts = []
        for name, m in self.meters.items():
            parts.append(f"{name}={m:.3f}" if isinstance(m, VectorMeter) else f"{name}={m.mean:.3f}")
        return " ".join(parts)
