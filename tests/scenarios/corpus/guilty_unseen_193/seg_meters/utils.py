from collections import OrderedDict


class AverageMeter:
    """Keeps the latest value and the running average of a quantity."""

    def __init__(self, name, fmt=".4f"):
        self.name, self.fmt = name, fmt
        self.reset()

    def reset(self):
        self.val, self.sum, self.count = 0.0, 0.0, 0

    def update(self, val, n=1):
        self.val = val
        self.sum = self.sum + val * n
        self.count += n

    @property
    def avg(self):
        return self.sum / max(self.count, 1)

    def __str__(self):
        return f"{self.name} {float(self.val):{self.fmt}} ({float(self.avg):{self.fmt}})"


class MeterGroup:
    def __init__(self, *names):
        self.meters = OrderedDict((n, AverageMeter(n)) for n in names)

    def __getitem__(self, name):
        return self.meters[name]

    def update(self, n, **values):
        for name, value in values.items():
            self.meters[name].update(value, n)

    def summary(self, prefix=""):
        return prefix + "  ".join(str(m) for m in self.meters.values())
