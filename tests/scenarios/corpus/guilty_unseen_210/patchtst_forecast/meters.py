class SmoothedValue:
    def __init__(self, beta=0.9):
        self.beta = beta
        self.value = None

    def update(self, x):
        if self.value is None:
            self.value = x
        else:
            self.value = self.beta * self.value + (1 - self.beta) * x  # <- culprit

    def get(self):
        return float(self.value)


class MeterBoard:
    def __init__(self, *names):
        self.meters = {n: SmoothedValue() for n in names}

    def log(self, prefix, **values):
        for k, v in values.items():
            self.meters[f"{prefix}/{k}"].update(v)

    def line(self):
        return "  ".join(f"{k}={m.get():.4f}" for k, m in self.meters.items())
