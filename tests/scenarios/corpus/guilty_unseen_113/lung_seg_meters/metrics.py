from collections import deque


class SmoothedValue:
    """A windowed median plus an average over the whole run."""

    def __init__(self, window_size=10, fmt="{median:.4f} ({global_avg:.4f})"):
        self.window = deque(maxlen=window_size)
        self.total = 0.0
        self.count = 0
        self.fmt = fmt

    def update(self, value, n=1):
        self.window.append(float(value))
        self.count += n
        self.total += value * n  # <- culprit

    def reset_window(self):
        self.window.clear()

    @property
    def median(self):
        vals = sorted(self.window)
        return vals[len(vals) // 2] if vals else float("nan")

    @property
    def global_avg(self):
        return float(self.total) / max(self.count, 1)

    def __str__(self):
        return self.fmt.format(median=self.median, global_avg=self.global_avg)


class MetricLogger:
    def __init__(self, delimiter="  "):
        self.meters = {}
        self.delimiter = delimiter

    def add_meter(self, name, meter):
        self.meters[name] = meter

    def update(self, n=1, **kwargs):
        for name, v in kwargs.items():
            if name not in self.meters:
                self.add_meter(name, SmoothedValue())
            self.meters[name].update(v, n)  # <- culprit

    def new_epoch(self):
        for m in self.meters.values():
            m.reset_window()

    def log_every(self, iterable, freq):
        for i, obj in enumerate(iterable):
            yield i % freq == freq - 1, obj

    def __str__(self):
        return self.delimiter.join(f"{k}: {m}" for k, m in self.meters.items())
