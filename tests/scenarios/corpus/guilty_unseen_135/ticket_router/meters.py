class AverageMeter:
    """Tracks the latest value and the average of the run."""

    def __init__(self, name):
        self.name = name
        self.val = 0.0
        self.sum = 0.0
        self.count = 0

    def update(self, val, n=1):
        self.val = float(val)
        self.sum += val * n  # <- culprit
        self.count += n

    @property
    def avg(self):
        return float(self.sum) / max(1, self.count)


class MeterBoard(dict):
    def __init__(self, *names):
        super().__init__((n, AverageMeter(n)) for n in names)

    def update(self, n, **values):
        for name, value in values.items():
            self[name].update(value, n)

    def line(self):
        return "  ".join(f"{m.name} {m.val:.3f} ({m.avg:.3f})" for m in self.values())
