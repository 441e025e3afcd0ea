class SmoothedValue:
    def __init__(self):
        self.total, self.count, self.history = 0.0, 0, []

    def update(self, v):
        self.history.append(v)
        self.total += v
        self.count += 1

    @property
    def global_avg(self):
        return self.total / max(1, self.count)


class CSVLogger:
    def __init__(self):
        self.rows = []
        self.meters = {}

    def update(self, **kw):
        for k, v in kw.items():
            v = v.item() if hasattr(v, "item") else v
            self.meters.setdefault(k, SmoothedValue()).update(v)
        self.rows.append({k: m.global_avg for k, m in self.meters.items()})
