class Meter:
    """Computes and stores the average and current value."""

    def __init__(self):
        self.reset()

    def reset(self):
        self.val, self.sum, self.count = 0.0, 0.0, 0

    def update(self, val, n=1):
        self.val = val
        self.sum += val * n  # <- culprit
        self.count += n

    @property
    def avg(self):
        return self.sum / max(self.count, 1)


class MeterBoard(dict):
    def record(self, n, **values):
        for key, value in values.items():
            meter = self[key]
            meter.update(value, n)  # <- culprit

    def __str__(self):
        return " | ".join(f"{k}: {float(m.val):.3f} ({float(m.avg):.3f})" for k, m in self.items())
