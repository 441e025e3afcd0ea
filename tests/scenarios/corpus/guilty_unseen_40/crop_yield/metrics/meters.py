class AverageMeter:
    """Weighted running mean of a scalar."""

    def __init__(self, name):
        self.name = name
        self.reset()

    def reset(self):
        self.total = 0.0
        self.count = 0

    def add(self, value, n=1):
        self.total = self.total + value * n  # <- culprit
        self.count += n

    @property
    def mean(self):
        return float(self.total) / max(self.count, 1)

    def __str__(self):
        return f"{self.name} {self.mean:.4f}"


class MeterGroup:
    def __init__(self, *names):
        self._meters = {name: AverageMeter(name) for name in names}

    def __getitem__(self, name):
        return self._meters[name]

    def update(self, n, **values):
        for name, value in values.items():
            self._meters[name].add(value, n)  # <- culprit

    def reset(self):
        for meter in self._meters.values():
            meter.reset()

    def __str__(self):
        return "  ".join(str(m) for m in self._meters.values())
