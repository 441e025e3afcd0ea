from collections import OrderedDict


class SmoothedValue:
    """Tracks a series and gives a median / mean over it."""

    def __init__(self, fmt="{median:.4f} ({avg:.4f})"):
        self.fmt = fmt
        self.series = []
        self.total = 0.0
        self.count = 0

    def update(self, value, n=1):
        self.series.append(value)  # <- culprit
        self.total += float(value) * n
        self.count += n

    @property
    def median(self):
        recent = sorted(float(v) for v in self.series[-20:])
        return recent[len(recent) // 2] if recent else 0.0

    @property
    def avg(self):
        return self.total / max(self.count, 1)

    def __str__(self):
        return self.fmt.format(median=self.median, avg=self.avg)


class MetricLogger:
    def __init__(self, delimiter="  "):
        self.meters = OrderedDict()
        self.delimiter = delimiter

    def update(self, **kwargs):
        for name, value in kwargs.items():
            if name not in self.meters:
                self.meters[name] = SmoothedValue()
            self.meters[name].update(value)

    def __str__(self):
        return self.delimiter.join(f"{k}: {v}" for k, v in self.meters.items())
