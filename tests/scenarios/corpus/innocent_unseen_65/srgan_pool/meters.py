from collections import defaultdict, deque


class WindowMeter:
    def __init__(self, window):
        self.values = deque(maxlen=window)
        self.total, self.count = 0, 0

    def update(self, v):
        v = v.detach()
        self.values.append(v)
        self.total = self.total + v
        self.count += 1

    def avg(self):
        return float(sum(self.values)) / len(self.values)

    def global_avg(self):
        return float(self.total) / self.count


class MeterBoard:
    def __init__(self, window):
        self.meters = defaultdict(lambda: WindowMeter(window))

    def update(self, **kw):
        for k, v in kw.items():
            self.meters[k].update(v)

    def __str__(self):
        return " ".join(f"{k} {m.avg():.3f} ({m.global_avg():.3f})" for k, m in self.meters.items())
