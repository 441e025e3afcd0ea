"""Smoothed meters for the console line."""


class Smoothed:
    def __init__(self, alpha):
        self.alpha = alpha
        self.value = None

    def update(self, x):
        if self.value is None:
            self.value = x  # <- culprit
        else:
            self.value = self.value + self.alpha * (x - self.value)  # <- culprit

    def number(self):
        return self.value if isinstance(self.value, float) else self.value.item()

    def __format__(self, spec):
        return format(self.number(), spec or ".4f")


class MeterBoard:
    def __init__(self, alpha=0.1):
        self.alpha = alpha
        self.meters = {}

    def update(self, **values):
        for name, x in values.items():
            meter = self.meters.get(name)
            if meter is None:
                meter = self.meters[name] = Smoothed(self.alpha)
            meter.update(x)

    def line(self):
        return "  ".join(f"{name} {meter:.4f}" for name, meter in self.meters.items())
